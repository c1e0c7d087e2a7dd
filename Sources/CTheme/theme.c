// Written by embed.sh: the built-in theme. The compiler reads the files at every build.
#include "CTheme.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../Templates/aside.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_1[] = {
#embed "../../Templates/assets/site.js" suffix(, 0) if_empty(0)
};

static const unsigned char file_2[] = {
#embed "../../Templates/assets/style.css" suffix(, 0) if_empty(0)
};

static const unsigned char file_3[] = {
#embed "../../Templates/author-link.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_4[] = {
#embed "../../Templates/author.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_5[] = {
#embed "../../Templates/avatar.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_6[] = {
#embed "../../Templates/board-card.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_7[] = {
#embed "../../Templates/board.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_8[] = {
#embed "../../Templates/channel-line.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_9[] = {
#embed "../../Templates/channels.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_10[] = {
#embed "../../Templates/chat.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_11[] = {
#embed "../../Templates/comment.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_12[] = {
#embed "../../Templates/entry-line.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_13[] = {
#embed "../../Templates/feed.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_14[] = {
#embed "../../Templates/footer.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_15[] = {
#embed "../../Templates/layout.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_16[] = {
#embed "../../Templates/media.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_17[] = {
#embed "../../Templates/message.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_18[] = {
#embed "../../Templates/missing.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_19[] = {
#embed "../../Templates/month.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_20[] = {
#embed "../../Templates/page.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_21[] = {
#embed "../../Templates/pagination.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_22[] = {
#embed "../../Templates/people.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_23[] = {
#embed "../../Templates/person.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_24[] = {
#embed "../../Templates/post-card.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_25[] = {
#embed "../../Templates/post.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_26[] = {
#embed "../../Templates/quote.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_27[] = {
#embed "../../Templates/rail.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_28[] = {
#embed "../../Templates/reactions.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_29[] = {
#embed "../../Templates/redirect.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_30[] = {
#embed "../../Templates/steps.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_31[] = {
#embed "../../Templates/stories.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_32[] = {
#embed "../../Templates/strings/en.yml" suffix(, 0) if_empty(0)
};

static const unsigned char file_33[] = {
#embed "../../Templates/strings/ja.yml" suffix(, 0) if_empty(0)
};

static const unsigned char file_34[] = {
#embed "../../Templates/strings/zh-Hans.yml" suffix(, 0) if_empty(0)
};

static const unsigned char file_35[] = {
#embed "../../Templates/strings/zh-Hant.yml" suffix(, 0) if_empty(0)
};

static const unsigned char file_36[] = {
#embed "../../Templates/tag-list.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_37[] = {
#embed "../../Templates/tag.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_38[] = {
#embed "../../Templates/tags.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_39[] = {
#embed "../../Templates/thread.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_40[] = {
#embed "../../Templates/time.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_41[] = {
#embed "../../Templates/timeline.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_42[] = {
#embed "../../Templates/topbar.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_43[] = {
#embed "../../Templates/topic.mustache" suffix(, 0) if_empty(0)
};

static const unsigned char file_44[] = {
#embed "../../Templates/topics.mustache" suffix(, 0) if_empty(0)
};

static const ctheme_file files[] = {
    {"aside.mustache", file_0, sizeof file_0 - 1},
    {"assets/site.js", file_1, sizeof file_1 - 1},
    {"assets/style.css", file_2, sizeof file_2 - 1},
    {"author-link.mustache", file_3, sizeof file_3 - 1},
    {"author.mustache", file_4, sizeof file_4 - 1},
    {"avatar.mustache", file_5, sizeof file_5 - 1},
    {"board-card.mustache", file_6, sizeof file_6 - 1},
    {"board.mustache", file_7, sizeof file_7 - 1},
    {"channel-line.mustache", file_8, sizeof file_8 - 1},
    {"channels.mustache", file_9, sizeof file_9 - 1},
    {"chat.mustache", file_10, sizeof file_10 - 1},
    {"comment.mustache", file_11, sizeof file_11 - 1},
    {"entry-line.mustache", file_12, sizeof file_12 - 1},
    {"feed.mustache", file_13, sizeof file_13 - 1},
    {"footer.mustache", file_14, sizeof file_14 - 1},
    {"layout.mustache", file_15, sizeof file_15 - 1},
    {"media.mustache", file_16, sizeof file_16 - 1},
    {"message.mustache", file_17, sizeof file_17 - 1},
    {"missing.mustache", file_18, sizeof file_18 - 1},
    {"month.mustache", file_19, sizeof file_19 - 1},
    {"page.mustache", file_20, sizeof file_20 - 1},
    {"pagination.mustache", file_21, sizeof file_21 - 1},
    {"people.mustache", file_22, sizeof file_22 - 1},
    {"person.mustache", file_23, sizeof file_23 - 1},
    {"post-card.mustache", file_24, sizeof file_24 - 1},
    {"post.mustache", file_25, sizeof file_25 - 1},
    {"quote.mustache", file_26, sizeof file_26 - 1},
    {"rail.mustache", file_27, sizeof file_27 - 1},
    {"reactions.mustache", file_28, sizeof file_28 - 1},
    {"redirect.mustache", file_29, sizeof file_29 - 1},
    {"steps.mustache", file_30, sizeof file_30 - 1},
    {"stories.mustache", file_31, sizeof file_31 - 1},
    {"strings/en.yml", file_32, sizeof file_32 - 1},
    {"strings/ja.yml", file_33, sizeof file_33 - 1},
    {"strings/zh-Hans.yml", file_34, sizeof file_34 - 1},
    {"strings/zh-Hant.yml", file_35, sizeof file_35 - 1},
    {"tag-list.mustache", file_36, sizeof file_36 - 1},
    {"tag.mustache", file_37, sizeof file_37 - 1},
    {"tags.mustache", file_38, sizeof file_38 - 1},
    {"thread.mustache", file_39, sizeof file_39 - 1},
    {"time.mustache", file_40, sizeof file_40 - 1},
    {"timeline.mustache", file_41, sizeof file_41 - 1},
    {"topbar.mustache", file_42, sizeof file_42 - 1},
    {"topic.mustache", file_43, sizeof file_43 - 1},
    {"topics.mustache", file_44, sizeof file_44 - 1},
};

size_t ctheme_count(void) { return sizeof files / sizeof *files; }
const ctheme_file *ctheme_file_at(size_t index) { return &files[index]; }
