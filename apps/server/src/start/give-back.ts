import { type Clock, unchangedMappings } from '@pulse/domain'
import type { Logger } from 'pino'
import { readFile } from 'node:fs/promises'
import { createTicker } from '../timing/ticker.ts'

/** by then the start is over and every source has answered */
const FIRST_MS = 20_000
const EVERY_MS = 30_000
const MADV_DONTNEED = 4

/**
 * Gives memory back that is not used any more, for as long as the process runs: what the start alone needed of Node's
 * own file, and what malloc keeps of freed blocks. Needs Linux and Node's foreign functions; without them it is left.
 * What else goes wrong, such as too many open files, is tried again.
 */
export function keepLean(clock: Clock, log: Logger, open = openGiveBack): void {
  let giveBack: (() => void) | undefined
  const turns = createTicker({
    clock,
    everyMs: EVERY_MS,
    firstMs: FIRST_MS,
    run: turn,
    onError: (error) =>
      log.debug({ err: error }, 'memory that is not used could not be given back; it is tried again'),
  })

  async function turn() {
    try {
      giveBack ??= await open()
      giveBack()
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
      turns.stop()
      log.debug({ err: error }, 'memory that is not used is not given back here')
    }
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
