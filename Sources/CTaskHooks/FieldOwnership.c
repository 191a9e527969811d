#include "CTaskHooks.h"

#if __has_attribute(swiftcall) && !defined(_WIN32)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#ifndef RTLD_DEFAULT
#define RTLD_DEFAULT ((void *)0)
#endif

// What the standard library asks the runtime for, with room for what may be added.
typedef struct {
  const char *name;
  void (*free_name)(const char *);
  bool is_strong;
  bool is_variable;
  void *more[4];
} field;

typedef __attribute__((swiftcall)) intptr_t (*count_fields)(const void *type);
typedef __attribute__((swiftcall)) const void *(*describe_field)(const void *type, intptr_t index, field *field);

intptr_t task_hooks_field_count(const void *type) {
  count_fields count = (count_fields)dlsym(RTLD_DEFAULT, "swift_reflectionMirror_recursiveCount");
  if (!count || !dlsym(RTLD_DEFAULT, "swift_reflectionMirror_recursiveChildMetadata")) return -1;
  return count(type);
}

bool task_hooks_field_is_strong(const void *type, intptr_t index) {
  describe_field describe = (describe_field)dlsym(RTLD_DEFAULT, "swift_reflectionMirror_recursiveChildMetadata");
  if (!describe) return true;
  field found = {0};
  describe(type, index, &found);
  if (found.free_name && found.name) found.free_name(found.name);
  return found.is_strong;
}

#else

intptr_t task_hooks_field_count(const void *type) { return -1; }
bool task_hooks_field_is_strong(const void *type, intptr_t index) { return true; }

#endif
