#!/usr/bin/perl
# One request of a phone, by IPv4: what comes back is printed as it is. The body is in the environment.
# usage: http.pl ADDRESS PORT METHOD PATH [HEADER...]
use strict;
use warnings;
use IO::Socket::INET;
my ($address, $port, $method, $path, @headers) = @ARGV;
my $body = $ENV{BODY} // '';
my $line = IO::Socket::INET->new(PeerAddr => $address, PeerPort => $port, Timeout => 20) or die "no connection to $address, port $port: $@\n";
push @headers, 'Content-Length: ' . length $body if $method eq 'POST';
alarm 60;
print $line join("\r\n", "$method $path HTTP/1.1", @headers, 'Connection: close', '', $body);
print while <$line>;
