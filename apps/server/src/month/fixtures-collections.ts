import path from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'

// Imported first, so that it also tracks the maps of all modules loaded after it.

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

const root = path.join(import.meta.dirname, '../../../..')
const ours = /^(?:apps\/server|packages\/(?:domain|contract))\/src\/(?!testing\/|month\/)/
/** New collections between two checks for garbage-collected ones. */
const mostUnseen = 200_000

interface Made {
  ref: WeakRef<ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>>
  file: string
}

const PlainMap = globalThis.Map
let made: Made[] = []
let mostMade = mostUnseen

/** Tracks the maps and sets that our own code constructs. Their behaviour does not change. */
const watched = <T extends new (...args: never[]) => object>(original: T): T =>
  new Proxy(original, {
    construct(target, args, newTarget: T) {
      const one = Reflect.construct(target, args, newTarget) as Map<unknown, unknown>
      const file = callingFile()
      if (file !== undefined) made.push({ ref: new WeakRef(one), file })
      if (made.length > mostMade) forgetDead()
      return one
    },
  })
globalThis.Map = watched(globalThis.Map)
globalThis.Set = watched(globalThis.Set)

function forgetDead() {
  made = made.filter(({ ref }) => ref.deref() !== undefined)
  mostMade = made.length + mostUnseen
}

/** The file of our code that calls the constructor. */
function callingFile(): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = 2
  Error.prepareStackTrace = (_, sites) => sites
  const holder: { stack?: NodeJS.CallSite[] } = {}
  Error.captureStackTrace(holder, callingFile)
  // the first frame is the trap above
  const at = holder.stack![1]
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  const name = at?.getFileName()?.replace('file://', '') ?? ''
  const file = path.relative(root, name)
  return ours.test(file) ? file : undefined
}

/** Entries of live maps and sets, by the file of our code that created them. */
export function entriesByFile(): Map<string, number> {
  collectGarbage()
  forgetDead()
  const sum = new PlainMap<string, number>()
  // an empty collection counts too
  for (const { ref, file } of made) sum.set(file, (sum.get(file) ?? 0) + (ref.deref()?.size ?? 0) + 1)
  return sum
}

/** The newest keys of the largest collection of a file, to identify its entries. */
export function newestKeys(file: string): string[] {
  const own = made.flatMap((one) => (one.file === file ? (one.ref.deref() ?? []) : []))
  const [largest] = own.toSorted((one, other) => other.size - one.size)
  return largest ? [...largest.keys()].slice(-5).map(String) : []
}

export function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
