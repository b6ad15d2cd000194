import Foundation
import Testing

extension DisplayTests {
    /// The Unix socket by which adhan-kiosk's launcher and the server know each other.
    @Suite("The launcher's door")
    struct LauncherTests {
        private let display: Display
        private let path = "/tmp/adhan-launcher-\(UUID().uuidString.prefix(8)).sock"

        init() throws {
            let launcher = """
                import os, socket, sys
                doors = [socket.socket(), socket.socket(socket.AF_UNIX)]
                doors[0].bind(("127.0.0.1", 0)); doors[1].bind("\(path)")
                for s in doors: s.listen(64)
                high = [os.dup2(s.fileno(), 20 + i) for i, s in enumerate(doors)]
                for i, h in enumerate(high):
                    os.dup2(h, 3 + i); os.set_inheritable(3 + i, True)
                os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="display:display")
                os.execv(sys.argv[1], sys.argv[1:])
                """
            display = try Display(passing: launcher)
        }

        private func ask(_ question: String) throws -> Display.Reply {
            let line = Line(path: path)
            line.send("GET \(question) HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            return try Display.parse(line.readAll())
        }

        @Test("A page's beats count from the launcher's first question on, and for nobody else")
        func beats() throws {
            defer { unsafe unlink(path) }
            #expect(try display.get("/beat?token=abcdefgh12").status == 404)
            #expect(try ask("/beat?heard=abcdefgh12").status == 404)
            #expect(try display.get("/beat?token=abcdefgh12").status == 204)
            #expect(try ask("/beat?heard=abcdefgh12").status == 200)
            #expect(try display.get("/beat?heard=abcdefgh12").status == 400)
            for number in 0..<40 {
                #expect(try display.get("/beat?token=made-up-\(number)").status == 404)
                #expect(try display.get("/beat?heard=made-up-\(number)").status == 400)
            }
            #expect(try ask("/beat?heard=abcdefgh12").status == 200)
            #expect(try ask("/beat?heard=short").status == 404)
            #expect(try display.get("/beat?token=short").status == 404)
            #expect(try ask("/beat?token=abcdefgh12").status == 400)
        }

        @Test("A page that wants the server's new files is distinguished from one that has died")
        func renewing() throws {
            defer { unsafe unlink(path) }
            #expect(try ask("/beat?heard=abcdefgh12").status == 404)
            #expect(try display.get("/beat?token=abcdefgh12&renew=1").status == 204)
            #expect(try ask("/beat?heard=abcdefgh12").status == 410)
        }

        @Test("The server tells its launcher at which port this machine's browsers reach it, and nobody else")
        func port() throws {
            defer { unsafe unlink(path) }
            #expect(try ask("/port").body == "\(display.port)\n")
            #expect(try display.get("/port").status == 404)
            #expect(try [200, 503].contains(ask("/healthz").status))
        }
    }
}
