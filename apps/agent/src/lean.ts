import fs from 'node:fs'
import { type Log, said } from './log.ts'

const MADV_DONTNEED = 4

/** A stretch of memory that shows a file. */
export interface Mapping {
  start: bigint
  bytes: bigint
}

/**
 * Makes what gives memory back that lies idle between two reports: what nobody holds any more, what malloc keeps of freed
 * blocks, and pages of the program's own file, which come back when they are touched. Needs Linux and Node's foreign
 * functions; without them it is left.
 */
export function createGiveBack(log: Log): () => void {
  let giveBack: (() => void) | undefined
  return () => {
    try {
      giveBack ??= openGiveBack()
    } catch (error) {
      log.debug(`memory that is not used is not given back here: ${said(error)}`)
      giveBack = () => {}
    }
    giveBack()
  }
}

function openGiveBack(): () => void {
  const { dlopen } = process.getBuiltinModule('node:ffi')
  const { madvise, malloc_trim } = dlopen(null, {
    madvise: { arguments: ['u64', 'u64', 'i32'], return: 'i32' },
    malloc_trim: { arguments: ['u64'], return: 'i32' },
  }).functions
  const mappings = unchangedMappings(fs.readFileSync('/proc/self/smaps', 'latin1'), process.execPath)
  return () => {
    globalThis.gc?.()
    for (const { start, bytes } of mappings) madvise(start, bytes, MADV_DONTNEED)
    malloc_trim(0n)
  }
}

/**
 * Where the running program's own file lies in memory exactly as it is on disk. V8 may show a part of it once more, at
 * another distance from the beginning of the file, and that place may become another's: it is left out.
 */
export function unchangedMappings(smaps: string, program: string): Mapping[] {
  const own = smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((text) => {
    const line = text.slice(0, text.indexOf('\n'))
    if (line.slice(line.indexOf('/')) !== program) return []
    const [range = '', rights = '', offset = '0'] = line.split(' ')
    const [from = '0', to = '0'] = range.split('-')
    const start = BigInt(`0x${from}`)
    return [{ start, bytes: BigInt(`0x${to}`) - start, rights, offset: BigInt(`0x${offset}`), text }]
  })
  const [image, second] = own.filter(({ offset }) => offset === 0n)
  if (!image || second) return []
  return own
    .filter(({ start, offset }) => start - offset === image.start)
    .filter(({ rights, text }) => /^r-[x-]p$/.test(rights) && isAsOnDisk(text))
    .map(({ start, bytes }) => ({ start, bytes }))
}

/** No page of it was changed, neither one in memory nor one that was put aside. */
const isAsOnDisk = (text: string) => /^Anonymous: +0 kB$/m.test(text) && /^Swap: +0 kB$/m.test(text)
