import type { Guest } from '../estate/estate.ts'
import type { GuestReading } from '../estate/reading.ts'
import { ApiError } from '../api/api-error.ts'
import { visibleMemory } from './qemu-live.ts'

/** Readable files inside a guest; all other files do not exist. */
export function agentFile(guest: Guest, reading: GuestReading, path: string) {
  if (guest.os.id === 'rocky') {
    throw new ApiError(
      500,
      "can't open file: The command guest-file-open has been disabled for this instance",
    )
  }
  if (guest.os.family !== 'linux' || path !== '/proc/meminfo') {
    throw new ApiError(
      500,
      `can't open file: failed to open file '${path}' (mode: 'r'): No such file or directory`,
    )
  }
  const content = memoryInfo(guest, reading)
  return { content, 'bytes-read': content.length }
}

/** Memory as the guest counts it. The guest can release nearly all of its page cache. */
export function memoryInside(guest: Guest, { memBytes, memCachedBytes }: GuestReading) {
  const totalBytes = visibleMemory(guest)
  const freeBytes = Math.max(0, totalBytes - memBytes)
  return { totalBytes, freeBytes, availableBytes: freeBytes + Math.floor(memCachedBytes * 0.9) }
}

function memoryInfo(guest: Guest, reading: GuestReading): string {
  const { totalBytes, freeBytes, availableBytes } = memoryInside(guest, reading)
  const cached = reading.memCachedBytes
  const lines: [string, number][] = [
    ['MemTotal', totalBytes],
    ['MemFree', freeBytes],
    ['MemAvailable', availableBytes],
    ['Buffers', Math.floor(cached * 0.1)],
    ['Cached', Math.floor(cached * 0.9)],
    ['SwapCached', 0],
    ['SwapTotal', 1024 ** 3],
    ['SwapFree', 1024 ** 3],
  ]
  return lines
    .map(([name, bytes]) => `${`${name}:`.padEnd(16)}${String(Math.floor(bytes / 1024)).padStart(8)} kB\n`)
    .join('')
}
