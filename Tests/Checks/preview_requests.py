"""Requests for preview_load.py: what a client may send, rightly or not, and mutations of it."""

GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

SEEDS = [
    GET, GET.replace(b"GET", b"HEAD"), GET.replace(b"/ ", b"/posts/p1/ "), GET.replace(b"/ ", b"/nowhere?a=b&c=%41 "),
    GET.replace(b"\r\nConn", b"\r\nRange: bytes=1-5\r\nConn"), GET.replace(b"\r\nConn", b"\r\nIf-None-Match: \"x\", W/\"y\"\r\nConn"),
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\nHost: localhost\nConnection: close\n\n", b"GET / HTTP/1.0\r\n\r\n", b"GET /\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 33000 + b"\r\n\r\n",
    bytes.fromhex("160301020001000001fc0303") + bytes(range(256)), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\r\n\r\n" + GET,
    b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /a\x00b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    *(GET.replace(b"GET", method) for method in (b"PUT", b"DELETE", b"TRACE", b"PATCH", b"get", b"G" * 5000)),
    GET.replace(b"127.0.0.1", b""), GET.replace(b"Host: 127.0.0.1\r\n", b""), GET.replace(b"127.0.0.1", b"[::1]:80"),
    GET.replace(b"127.0.0.1", b"localhost\r\nHost: evil.example"), GET.replace(b"Host:", b"Host :"), GET.replace(b"Host:", b" Host:"),
    GET.replace(b"HTTP/1.1", b"HTTP/9.9"), GET.replace(b"HTTP/1.1", b"HTTP/1.10"), GET.replace(b" HTTP/1.1", b" " * 3000 + b"HTTP/1.1"),
    GET.replace(b"\r\nConn", b"\r\nRange: bytes=0-0,1-1,2-2,-1,5-1\r\nConn"), GET.replace(b"\r\nConn", b"\r\nRange: bytes=99999999999999999999-\r\nConn"),
    GET.replace(b"\r\nConn", b"\r\nIf-Modified-Since: Mon, 99 Foo 0000 99:99:99 GMT\r\nConn"),
    GET.replace(b"\r\nConn", b"\r\nCookie: " + b"a=b; " * 3000 + b"\r\nConn"), GET.replace(b"\r\nConn", b"\r\nX: 1" * 500 + b"\r\nConn"),
    GET.replace(b"\r\nConn", b"\r\nX: a\r\n b\r\n\tc\r\nConn"), GET.replace(b"\r\nConn", b"\r\nno colon\r\nConn"),
    GET.replace(b"/ ", b"/%00 "), GET.replace(b"/ ", b"/%ff%fe/%2e%2e/ "), GET.replace(b"/ ", b"//evil.example/ "),
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
]
assert len(SEEDS) >= 50


def mutated(source):
    data = bytearray(source.choice(SEEDS))
    for _ in range(source.randint(0, 6)):
        place = source.randrange(len(data) + 1)
        kind = source.randrange(6)
        if kind == 0 and place < len(data):
            data[place] = source.randrange(256)
        elif kind == 1:
            del data[place:place + source.randint(1, 8)]
        elif kind == 2:
            data[place:place] = bytes(source.randrange(256) for _ in range(source.randint(1, 8)))
        elif kind == 3:
            data[place:place] = data[max(0, place - 20):place]
        elif kind == 4:
            data = data[:place] or bytearray(b"G")
        else:
            data[place:place] = source.choice([b"\r\n", b"\n", b"\r", b"\0", b" ", b":", b"HTTP/1.1", b"Content-Length: 99999999999\r\n"])
    return bytes(data)
