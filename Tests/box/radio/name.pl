#!/usr/bin/perl
# The IPv4 addresses that a name of the own network has, asked as a phone does: by multicast, from a port of its own (RFC 6762, 6.7).
# usage: name.pl INTERFACE-ADDRESS NAME
use strict;
use warnings;
use Socket qw(:DEFAULT IPPROTO_IP IP_MULTICAST_IF);
my ($own, $name) = @ARGV;
socket(my $line, AF_INET, SOCK_DGRAM, 0) or die "$!\n";
bind($line, pack_sockaddr_in(0, inet_aton($own))) or die "$!\n";
setsockopt($line, IPPROTO_IP, IP_MULTICAST_IF, inet_aton($own)) or die "$!\n";
my $question = pack('n6', 1, 0, 1, 0, 0, 0) . join('', map { pack('C/a*', $_) } split(/\./, $name)) . pack('Cnn', 0, 1, 1);
for (1 .. 5) {
    send($line, $question, 0, pack_sockaddr_in(5353, inet_aton('224.0.0.251'))) or die "$!\n";
    my $ready = '';
    vec($ready, fileno($line), 1) = 1;
    next unless select($ready, undef, undef, 3);
    recv($line, my $answer, 1500, 0);
    # An answer's last four bytes are the address, where it has no more than one.
    my (undef, undef, undef, $count) = unpack('n4', $answer);
    next unless $count;
    $answer =~ /\x00\x01[\x00\x80]\x01....\x00\x04(....)/s and print inet_ntoa($1), "\n" and exit 0;
}
exit 1;
