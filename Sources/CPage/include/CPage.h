#ifndef C_PAGE_H
#define C_PAGE_H

#include <stddef.h>

// The files of the live page as parts of the program. Swift would compile them as arrays of 89,000 literals, which takes ten seconds.

/// A file of the page.
typedef struct {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
} page_file;

/// The number of files.
size_t page_file_count(void);

/// One of the files.
page_file page_file_at(size_t index);

#endif
