import type { Call } from './route.ts'
import { memberOf } from './member.ts'

export function nodeStatus(call: Call) {
  const node = memberOf(call)
  const { hardware, cluster } = node
  const { release } = cluster
  const reading = call.world.readings.node(node)
  const availableBytes = hardware.memBytes - reading.memBytes
  const freeBytes = Math.floor(availableBytes * 0.35)
  const swapUsedBytes = Math.floor(hardware.swapBytes * 0.02)
  return {
    uptime: reading.uptimeSeconds,
    cpu: reading.cpu,
    wait: reading.ioWait,
    idle: 0,
    loadavg: reading.load.map((value) => value.toFixed(2)),
    kversion: `Linux ${release.kernelRelease} ${release.kernelVersion}`,
    ...(release.major >= 8 && {
      'current-kernel': {
        sysname: 'Linux',
        release: release.kernelRelease,
        version: release.kernelVersion,
        machine: 'x86_64',
      },
      'boot-info': hardware.efi ? { mode: 'efi', secureboot: 0 } : { mode: 'legacy-bios' },
    }),
    pveversion: `pve-manager/${release.version}/${release.repoid}`,
    cpuinfo: cpuInfo(call),
    memory: {
      total: hardware.memBytes,
      used: reading.memBytes,
      free: freeBytes,
      ...(release.major === 9 && { available: availableBytes }),
    },
    swap: { total: hardware.swapBytes, used: swapUsedBytes, free: hardware.swapBytes - swapUsedBytes },
    rootfs: {
      total: hardware.rootBytes,
      used: reading.diskBytes,
      avail: hardware.rootBytes - reading.diskBytes,
      free: hardware.rootBytes - reading.diskBytes,
    },
    ksm: { shared: 0 },
  }
}

function cpuInfo(call: Call) {
  const { hardware, cluster } = memberOf(call)
  const { model, vendor, family, mhz, sockets, cores, threads } = hardware
  return {
    model,
    cpus: threads,
    cores,
    sockets,
    mhz,
    hvm: '1',
    user_hz: 100,
    flags:
      'fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ht',
    ...(cluster.release.major === 9 && { family, vendor }),
  }
}
