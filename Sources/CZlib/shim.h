#pragma once
#include <zlib.h>

/* inflateInit2 is a macro that Swift cannot call. Negative bits: a raw stream, as in a zip. */
static inline int adhand_inflate_begin(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

/* The same for a stream with zlib's own head and checksum, as in a PNG. */
static inline int adhand_inflate_begin_zlib(z_stream *stream) { return inflateInit(stream); }
