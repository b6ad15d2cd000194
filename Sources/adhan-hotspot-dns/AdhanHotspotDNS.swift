internal import CSystemd
internal import Glibc
internal import Host
internal import PhoneRules
internal import Texts

/// adhan-hotspot-dns as one of the programs of an executable file.
package func runAdhanHotspotDNS() -> Never { AdhanHotspotDNS.main() }

/// The name server of the box's own network: it resolves every name to this box, so that a phone that has joined opens the
/// page. It listens on the socket that systemd passes, opens none, and keeps nothing.
enum AdhanHotspotDNS {
    static func main() -> Never {
        StandardDescriptors.reserve()
        let count = sd_listen_fds(0)
        let datagram = Int32(SOCK_DGRAM.rawValue)
        guard count == 1, sd_is_socket(3, AF_INET, datagram, -1) > 0 else {
            let sentence =
                "adhan-hotspot-dns: systemd handed over no socket; look at \"systemctl status adhan-hotspot-dns.socket\"\n"
            _ = OwnedDescriptor.write(Array(sentence.utf8), to: STDERR_FILENO)
            exit(EXIT_FAILURE)
        }
        _ = fcntl(3, F_SETFL, fcntl(3, F_GETFL) & ~O_NONBLOCK)
        while true { answer(on: 3) }
    }

    private static func answer(on socket: Int32) {
        // Read one byte more than is accepted, to recognise longer queries.
        var message = [UInt8](repeating: 0, count: DNSAnswer.longest + 1)
        var caller = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutablePointer(to: &caller) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = unsafe message.withUnsafeMutableBytes {
                    unsafe recvfrom(socket, $0.baseAddress, $0.count, 0, address, &length)
                }
                guard count >= 0 else {
                    // Pause, because nothing better can be done about an error at once.
                    if errno != EINTR { usleep(100_000) }
                    return
                }
                guard
                    let reply = DNSAnswer.answer(Array(message.prefix(count)), address: Hotspot.addressBytes)
                else { return }
                // Ignore a failure, because a phone without an answer asks again.
                _ = unsafe reply.withUnsafeBytes {
                    unsafe sendto(
                        socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT), address, length)
                }
            }
        }
    }
}
