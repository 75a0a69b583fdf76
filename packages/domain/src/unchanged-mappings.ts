/** A stretch of memory that shows a file. */
interface Mapping {
  start: bigint
  bytes: bigint
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
