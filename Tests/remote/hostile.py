"""Tests that these requests are refused, each with its status: those of strangers, of foreign web pages, and of phones with
fewer rights."""
import time

from harness import FORM, expect

def hostile(page, keeper, household):
    """The requests that are refused: name, status, and the request."""
    host, origin, wrong = page.host, f"http://{page.host}", page.port + 1
    mute = {"path": "/r/mute", "fields": "for=30m", "phone": household}

    def without(**headers):
        return lambda: page.act(**mute, replace={name.replace("_", "-"): values for name, values in headers.items()})

    def raw(lines, body=b""):
        return lambda: page.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    head = [f"Host: {host}", f"Origin: {origin}", f"Content-Type: {FORM}", f"Cookie: adhan_remote={household}", "Connection: close"]
    cases = [
        ("Origin absent", 403, without(Origin=[])), ("Origin null", 403, without(Origin=["null"])),
        ("Origin foreign", 403, without(Origin=["http://evil.example"])),
        ("Origin of another port", 403, without(Origin=[f"http://127.0.0.1:{wrong}"])),
        ("Origin without a port", 403, without(Origin=["http://127.0.0.1"])),
        ("Origin of another scheme", 403, without(Origin=[f"https://{host}"])),
        ("Origin in upper case", 403, without(Origin=[f"HTTP://{host}"])), ("Origin with a path", 403, without(Origin=[origin + "/"])),
        ("Origin twice", 403, without(Origin=[origin, origin])),
        ("Origin of another name", 403, without(Origin=[f"http://localhost:{page.port}"])),
        ("Origin with a user", 403, without(Origin=[f"http://user@{host}"])),
        ("Host foreign", 421, without(Host=[f"evil.example:{page.port}"])),
        ("Host with a dot at its end", 421, without(Host=[f"localhost.:{page.port}"])), ("two Hosts", 421, without(Host=[host, host])),
        ("no Host", 421, without(Host=[])), ("Host with another port", 421, without(Host=[f"127.0.0.1:{wrong}"])),
        ("Host without a port", 421, without(Host=["127.0.0.1"])),
        ("Host mapped to IPv6", 421, without(Host=[f"[::ffff:127.0.0.1]:{page.port}"])),
        ("Host with a zone", 421, without(Host=[f"[::1%25lo]:{page.port}"])), ("Host with a user", 421, without(Host=[f"user@{host}"])),
        ("Host as a number", 421, without(Host=[f"2130706433:{page.port}"])), ("Host in short", 421, without(Host=[f"127.1:{page.port}"])),
        ("Host below localhost", 421, without(Host=[f"evil.localhost:{page.port}"])),
        ("text/plain", 415, without(Content_Type=["text/plain"])), ("JSON", 415, without(Content_Type=["application/json"])),
        ("multipart on a form", 415, without(Content_Type=["multipart/form-data; boundary=x"])), ("no type", 415, without(Content_Type=[])),
        ("another charset", 415, without(Content_Type=[FORM + "; charset=utf-16"])), ("two types", 415, without(Content_Type=[FORM, FORM])),
        ("a form where a file is taken", 415, lambda: page.act("/r/sound", "file=x", keeper)),
        ("two lengths", 400, without(Content_Length=["7", "8"])), ("the length twice", 400, without(Content_Length=["7", "7"])),
        ("no length", 411, without(Content_Length=[])), ("a negative length", 400, without(Content_Length=["-7"])),
        ("a length with a sign", 400, without(Content_Length=["+7"])), ("a length in hexadecimal", 400, without(Content_Length=["0x7"])),
        ("a body that is too large", 413, without(Content_Length=["65537"])),
        ("chunks", 411, raw(["POST /r/mute HTTP/1.1", *head, "Transfer-Encoding: chunked"], b"7\r\nfor=30m\r\n0\r\n\r\n")),
        ("chunks and a length", 400, raw(["POST /r/mute HTTP/1.1", *head, "Content-Length: 7", "Transfer-Encoding: chunked"],
                                         b"7\r\nfor=30m\r\n0\r\n\r\n")),
        ("GET with a body", 400, lambda: page.ask("GET", "/r/pair", [("Content-Length", "3")], b"abc")),
        ("lines that end with LF", 400, lambda: page.send(b"GET /r/pair HTTP/1.1\nHost: " + host.encode() + b"\n\n")),
        ("an absolute address", 404, lambda: page.ask("GET", f"{origin}/r/pair")),
        ("%2e%2e", 404, lambda: page.ask("GET", "/r/%2e%2e/r/pair")), ("..", 404, lambda: page.ask("GET", "/r/../r/pair")),
        ("two slashes", 404, lambda: page.ask("GET", "//r/pair")), ("NUL in the path", 400, lambda: page.ask("GET", "/r/\0pair")),
        ("a head of more than 8 KB", 431, lambda: page.ask("GET", "/r/pair", [("X", "y" * 8200)])),
        ("garbage", 400, lambda: page.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")),
        *[(f"{method} on an act", 405, lambda method=method: page.ask(method, "/r/mute", [("Cookie", f"adhan_remote={household}")]))
for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]],
        ("no cookie", 401, lambda: page.act("/r/mute", "for=30m")),
        ("a cookie cut short", 401, lambda: page.act("/r/mute", "for=30m", household[:-1])),
        ("a cookie twice", 401, lambda: page.act("/r/mute", "for=30m", f"{household}; adhan_remote={household}")),
        ("a cookie of another box", 401, lambda: page.act("/r/mute", "for=30m", "ab" * 32)),
        ("a cookie in upper case", 401, lambda: page.act("/r/mute", "for=30m", household.upper())),
        ("JSON without a cookie", 401, lambda: page.look("/r/now.json")),
        *[(f"a household's phone on {path}", 403, lambda path=path: page.act(path, "x=y", household))
for path in ["/r/exception", "/r/exception/remove", "/r/hijri", "/r/announcement", "/r/announcement/remove", "/r/sound/remove",
                       "/r/timetable/answer", "/r/timetable/take", "/r/timetable/undo", "/r/setup", "/r/heard", "/r/phones/revoke"]],
        ("a mute of more than a day", 422, lambda: page.act("/r/mute", "for=25h", household)),
        ("a prayer that is none", 422, lambda: page.act("/r/prayers", "prayer=brunch&enabled=no", household)),
        ("NUL in a form", 400, lambda: page.act("/r/mute", "for=%00", household)),
        ("an escape that is none", 400, lambda: page.act("/r/mute", "for=%zz", household)),
        ("a line end in a name", 422, lambda: page.act("/r/pair", "code=000000&name=A%0D%0ASet-Cookie:x")),
    ]
    for name, status, send in cases:
        answer = send()
        expect(name, answer.status == status, f"{answer.status}, not {status}: {answer.raw[:200]}")
        expect(f"{name}: no cookie is set", "set-cookie" not in answer.headers, answer.header("set-cookie"))
    return len(cases)


def codes(page):
    """Wrong codes; an address may try ten times."""
    def attempt(code):
        return page.act("/r/pair", f"code={code}&name=Thief").status

    expect("no window: a code is refused", attempt("123456") == 403)
    code = page.open("household")["code"]
    wide = "".join(f"%EF%BC%{0x90 + int(digit):02X}" for digit in code)
    expect("wide digits are no digits", attempt(wide) == 403)
    expect("the code itself pairs", attempt(code) == 303)
    expect("but once", attempt(code) == 403)
    late = page.open("household", seconds=1)["code"]
    time.sleep(1.2)
    expect("a code that has expired is refused", attempt(late) == 403)
    code = page.open("household")["code"]
    other = "000000" if code != "000000" else "111111"
    expect("five wrong ones", [attempt(other) for _ in range(5)] == [403] * 5)
    expect("close the window for the right one", attempt(code) == 403)
    expect("then the address has to wait", [attempt(other) for _ in range(2)][-1] == 429)
    refused = page.varlink("org.adhand.Remote.OpenPairing", role="owner")
    expect("a role that is none is refused", refused.get("error") == "org.varlink.service.InvalidParameter", refused)
