import { useEffect } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'

const KEY = 'nodeLinesSeen'
const UNSEEN = 3
const MOST = 60

/** How many lines the table of nodes had when this browser last saw it: until data comes their room is kept. */
export function linesSeen(): number {
  const seen = Number(readStored(KEY))
  return Number.isInteger(seen) && seen > 0 ? Math.min(MOST, seen) : UNSEEN
}

export function useRememberedLines(lines: number): void {
  useEffect(() => {
    if (lines > 0 && readStored(KEY) !== String(lines)) writeStored(KEY, String(lines))
  }, [lines])
}
