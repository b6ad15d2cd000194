#pragma once
#include <stddef.h>

// The tables of Resources/display/page/languages, laid into the program by languages.S: a code, its table, a code …, each with
// a zero behind it.
extern const unsigned char adhand_languages_begin;
extern const unsigned char adhand_languages_end;

static inline const unsigned char *_Nonnull adhand_languages(void) { return &adhand_languages_begin; }
static inline size_t adhand_languages_count(void) {
    return (size_t)(&adhand_languages_end - &adhand_languages_begin);
}
