import Testing

/// One after another: who waits for an answer within two seconds shares no processor with a browser.
@Suite("adhan-display", .serialized)
enum DisplayTests {}
