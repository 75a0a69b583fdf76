import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { readFile } from 'node:fs/promises'

/** by then the start is over and every source has answered */
const FIRST_MS = 20_000
const EVERY_MS = 30_000
const MADV_DONTNEED = 4

/** A stretch of memory that shows a file. */
export interface Mapping {
  start: bigint
  bytes: bigint
}

/**
 * Gives memory back that is not used any more, for as long as the process runs: what the start alone needed of Node's
 * own file, and what malloc keeps of freed blocks. Needs Linux and Node's foreign functions; without them it is left.
 * What else goes wrong, such as too many open files, is tried again.
 */
export function keepLean(clock: Clock, log: Logger, open = openGiveBack): void {
  let giveBack: (() => void) | undefined
  clock.after(FIRST_MS, () => void turn())

  async function turn() {
    try {
      giveBack ??= await open()
      giveBack()
    } catch (error) {
      if (error instanceof NotHere) {
        return log.debug({ err: error }, 'memory that is not used is not given back here')
      }
      log.debug({ err: error }, 'memory that is not used could not be given back; it is tried again')
    }
    clock.after(EVERY_MS, () => void turn())
  }
}

/** Nothing of this system or of this Node changes that. */
export class NotHere extends Error {}

export async function openGiveBack(): Promise<() => void> {
  const functions = await foreignFunctions().catch((cause: unknown) => {
    throw new NotHere('Node has no foreign functions here, or the C library lacks madvise or malloc_trim', {
      cause,
    })
  })
  const mappings = unchangedMappings(await readFile('/proc/self/smaps', 'latin1'), process.execPath)
  return () => {
    for (const { start, bytes } of mappings) functions.madvise(start, bytes, MADV_DONTNEED)
    functions.malloc_trim(0n)
  }
}

async function foreignFunctions() {
  const { dlopen } = await import('node:ffi')
  return dlopen(null, {
    madvise: { arguments: ['u64', 'u64', 'i32'], return: 'i32' },
    malloc_trim: { arguments: ['u64'], return: 'i32' },
  }).functions
}

/**
 * Where the running program's own file lies in memory exactly as it is on disk: these pages come back by themselves
 * when they are touched, and the place of a running program never becomes another's. V8 shows a part of the same file
 * once more for each thread with a large heap, and that place does become another's: it lies at another distance from
 * the beginning of the file.
 */
export function unchangedMappings(smaps: string, program: string): Mapping[] {
  const own = smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((text) => {
    const line = text.slice(0, text.indexOf('\n'))
    if (line.slice(line.indexOf('/')) !== program) return []
    const [range = '', rights, offset] = line.split(' ')
    const [from, to] = range.split('-')
    const start = BigInt(`0x${from}`)
    return [{ start, bytes: BigInt(`0x${to}`) - start, rights, offset: BigInt(`0x${offset}`), text }]
  })
  const [image, second] = own.filter(({ offset }) => offset === 0n)
  if (!image || second) return []
  return own
    .filter(({ start, offset }) => start - offset === image.start)
    .filter(({ rights, text }) => /^r-[x-]p$/.test(rights!) && isAsOnDisk(text))
    .map(({ start, bytes }) => ({ start, bytes }))
}

/** No page of it was changed, neither one in memory nor one that was put aside. */
const isAsOnDisk = (text: string) => /^Anonymous: +0 kB$/m.test(text) && /^Swap: +0 kB$/m.test(text)
