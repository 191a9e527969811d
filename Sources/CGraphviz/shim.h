#ifndef SIGNALS_CGRAPHVIZ_SHIM_H
#define SIGNALS_CGRAPHVIZ_SHIM_H

#include <graphviz/gvc.h>
#include <stddef.h>

/* The one way into libgraphviz. Types that changed between Graphviz 2.42 and 13 stay on this side. */

typedef enum {
  signals_graphviz_done = 0,
  signals_graphviz_no_context,
  signals_graphviz_unreadable,
  signals_graphviz_no_layout,
  signals_graphviz_no_picture,
} signals_graphviz_outcome;

/* Called with fragments of messages. */
typedef int (*signals_graphviz_handler)(const char *fragment);

typedef int (*signals_render_narrow)(GVC_t *, graph_t *, const char *, char **, unsigned int *);

static inline int signals_graphviz_render_narrow(int (*render)(void), GVC_t *context, graph_t *graph,
                                                 const char *format, char **bytes, size_t *length) {
  unsigned int narrow = 0;
  int status = ((signals_render_narrow)render)(context, graph, format, bytes, &narrow);
  *length = narrow;
  return status;
}

typedef int (*signals_render_wide)(GVC_t *, graph_t *, const char *, char **, size_t *);

static inline int signals_graphviz_render_wide(int (*render)(void), GVC_t *context, graph_t *graph,
                                               const char *format, char **bytes, size_t *length) {
  return ((signals_render_wide)render)(context, graph, format, bytes, length);
}

/* The one context of the process. It is never freed: the text plug-in of 2.42 keeps the name of the last font, which the
   context owns, and compares it with the next one after the context is gone. */
static inline GVC_t *signals_graphviz_context(void) {
  static GVC_t *context = NULL;
  if (!context) context = gvContext();
  return context;
}

/* Lays out and renders one graph. `bytes` is freed with signals_graphviz_free. `width` and `height` are those of the layout in
   points, before it is scaled to the size that the graph asks for. Not thread-safe. */
static inline signals_graphviz_outcome signals_graphviz_render(const char *dot, const char *engine, const char *format,
                                                               signals_graphviz_handler handler, char **bytes,
                                                               size_t *length, double *width, double *height,
                                                               int *errors) {
  signals_graphviz_outcome outcome = signals_graphviz_done;
  *bytes = NULL;
  *length = 0;
  *width = 0;
  *height = 0;
  agseterrf((agusererrf)handler);
  agreseterrors();
  GVC_t *context = signals_graphviz_context();
  if (!context) return signals_graphviz_no_context;
  graph_t *graph = agmemread(dot);
  if (!graph) {
    outcome = signals_graphviz_unreadable;
  } else {
    if (gvLayout(context, graph, engine) != 0) {
      outcome = signals_graphviz_no_layout;
    } else {
      *width = GD_bb(graph).UR.x - GD_bb(graph).LL.x;
      *height = GD_bb(graph).UR.y - GD_bb(graph).LL.y;
      /* The length became a size_t in Graphviz 13. */
      int status = _Generic(&gvRenderData,
                            signals_render_narrow: signals_graphviz_render_narrow,
                            default: signals_graphviz_render_wide)(
          (int (*)(void))gvRenderData, context, graph, format, bytes, length);
      if (status != 0 || !*bytes) outcome = signals_graphviz_no_picture;
    }
    /* Also after a failure: both undo what was begun. */
    gvFreeLayout(context, graph);
    agclose(graph);
  }
  *errors = agerrors();
  return outcome;
}

static inline void signals_graphviz_free(char *bytes) {
  if (bytes) gvFreeRenderData(bytes);
}

/* The version of the library, such as "2.43.0"; copied into `buffer`, which gets its final zero. */
static inline void signals_graphviz_version(char *buffer, size_t capacity) {
  if (capacity == 0) return;
  buffer[0] = 0;
  GVC_t *context = signals_graphviz_context();
  if (!context) return;
  const char *version = gvcVersion(context);
  size_t index = 0;
  for (; version && version[index] && index + 1 < capacity; index++) buffer[index] = version[index];
  buffer[index] = 0;
}

#endif
