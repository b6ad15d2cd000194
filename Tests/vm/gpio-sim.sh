#!/bin/sh
# Builds the kernel module gpio-sim, which Debian leaves out, from Debian's source and for the given kernel version.
# usage: gpio-sim.sh VERSION DIRECTORY
set -eu
version=$1 out=$2
# For example, 6.1.0-56-amd64 is built from linux-source-6.1.
major=${version%%-*}
major=${major%.*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -o APT::Sandbox::User=root download -qq "linux-source-$major" "linux-headers-$version" "linux-headers-${version%-*}-common" "linux-kbuild-$major"
for package in linux-headers-*.deb linux-kbuild-*.deb; do dpkg-deb -x "$package" tree; done
dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO "./usr/src/linux-source-$major.tar.xz" \
    | tar -xJ --wildcards "linux-source-$major/drivers/gpio/gpio*" "linux-source-$major/kernel/irq/irq_sim.c"
mkdir module
cp "linux-source-$major/drivers/gpio/gpio-sim.c" module/main.c
cp "linux-source-$major/drivers/gpio/gpiolib.h" "linux-source-$major/kernel/irq/irq_sim.c" module/
# Debian's kernel does not export this function.
cat > module/desc.c <<'C'
#include <linux/irq.h>
#include <linux/irqdesc.h>
struct irq_desc *irq_to_desc(unsigned int irq)
{
	struct irq_data *data = irq_get_irq_data(irq);
	return data ? irq_data_to_desc(data) : NULL;
}
C
printf 'obj-m := gpio-sim.o\ngpio-sim-y := main.o irq_sim.o desc.o\n' > module/Makefile
# The packages refer to each other with absolute paths.
sed -i "s|/usr/src|$work/tree/usr/src|g" "tree/usr/src/linux-headers-$version/Makefile" "tree/usr/src/linux-headers-$version/.kernelvariables"
make -s -C "$work/tree/usr/src/linux-headers-$version" "M=$work/module" modules 2>&1 | grep -v 'Skipping BTF' || [ -f module/gpio-sim.ko ]
cp module/gpio-sim.ko "$out/"
