import { unchangedMappings } from '@pulse/domain'
import fs from 'node:fs'
import { type Log, said } from './log.ts'

const MADV_DONTNEED = 4

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
