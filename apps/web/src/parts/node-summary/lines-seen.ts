import { useEffect } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'

type Key = 'nodeLinesSeen' | 'dockerHostLinesSeen'

const UNSEEN = 3
const MOST = 60

/** The last number of lines in this browser. Reserves their height until the data arrives. */
export function linesSeen(key: Key = 'nodeLinesSeen'): number {
  const seen = Number(readStored(key))
  return Number.isInteger(seen) && seen > 0 ? Math.min(MOST, seen) : UNSEEN
}

export function useRememberedLines(lines: number, key: Key = 'nodeLinesSeen', counts = true): void {
  useEffect(() => {
    if (counts && lines > 0 && readStored(key) !== String(lines)) writeStored(key, String(lines))
  }, [lines, key, counts])
}
