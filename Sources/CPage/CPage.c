#include "CPage.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char page_html[] = {
#embed "Files/page.html"
};
static const unsigned char page_css[] = {
#embed "Files/page.css"
};
static const unsigned char page_js[] = {
#embed "Files/page.js"
};
static const unsigned char graph_js[] = {
#embed "Files/graph.js"
};
static const unsigned char glide_js[] = {
#embed "Files/glide.js"
};
static const unsigned char camera_js[] = {
#embed "Files/camera.js"
};
static const unsigned char finder_js[] = {
#embed "Files/finder.js"
};
static const unsigned char pace_js[] = {
#embed "Files/pace.js"
};
static const unsigned char panel_js[] = {
#embed "Files/panel.js"
};
static const unsigned char patch_js[] = {
#embed "Files/patch.js"
};
static const unsigned char stream_js[] = {
#embed "Files/stream.js"
};
static const unsigned char words_js[] = {
#embed "Files/words.js"
};
static const unsigned char icon_svg[] = {
#embed "Files/icon.svg"
};

#define FILE_OF_PAGE(name, bytes) {name, bytes, sizeof bytes}

static const page_file files[] = {
    FILE_OF_PAGE("page.html", page_html),
    FILE_OF_PAGE("page.css", page_css),
    FILE_OF_PAGE("page.js", page_js),
    FILE_OF_PAGE("graph.js", graph_js), FILE_OF_PAGE("glide.js", glide_js),
    FILE_OF_PAGE("camera.js", camera_js),
    FILE_OF_PAGE("finder.js", finder_js),
    FILE_OF_PAGE("pace.js", pace_js),
    FILE_OF_PAGE("panel.js", panel_js),
    FILE_OF_PAGE("patch.js", patch_js),
    FILE_OF_PAGE("stream.js", stream_js),
    FILE_OF_PAGE("words.js", words_js),
    FILE_OF_PAGE("icon.svg", icon_svg),
};

size_t page_file_count(void) { return sizeof files / sizeof files[0]; }

page_file page_file_at(size_t index) { return files[index]; }
