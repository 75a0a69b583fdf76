import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureBrowser } from './browser.ts'
import { missedBudgets } from './budgets.ts'
import { measureBundle } from './bundle.ts'
import { measureDisk } from './disk.ts'
import { startEstate } from './estate.ts'
import { demandMeasured, type Figures } from './figures.ts'
import { measureHashes } from './hashes.ts'
import { diskLine, document, slope, table, withDiskLine } from './report.ts'
import { measureServer } from './server.ts'

const sizes = [75, 500, 2500, 10_000]
const { values } = parseArgs({
  options: {
    guests: { type: 'string' },
    out: { type: 'string' },
    /** writes docs/benchmarks.md */
    document: { type: 'boolean', default: false },
    /** an hour: what is written to disk, alone */
    disk: { type: 'boolean', default: false },
    /** what guessing a password or a passphrase costs, alone */
    hashes: { type: 'boolean', default: false },
  },
})

async function measure(guests: number): Promise<Figures> {
  console.log(`${guests} guests …`)
  const estate = await startEstate(guests)
  try {
    const { server, wire, latency } = await measureServer(estate, guests)
    const { browser, answerToPixelP95Ms } = await measureBrowser(estate.url)
    return demandMeasured({
      guests,
      nodes: estate.nodes,
      server,
      wire,
      latency: { ...latency, answerToPixelP95Ms },
      browser,
      bundle: measureBundle(),
    })
  } finally {
    await estate.stop()
  }
}

function wantedSizes(): number[] {
  if (values.guests === undefined) return sizes
  const guests = Number(values.guests)
  if (Number.isInteger(guests) && guests > 0) return [guests]
  console.error(`--guests must be a whole number above 0, not "${values.guests}"`)
  process.exit(2)
}

function write(file: string, text: string) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  console.log(`written: ${file}`)
}

const page = path.join(import.meta.dirname, '../docs/benchmarks.md')
const readPage = () => fs.readFileSync(page, 'utf8')

if (values.disk) {
  const line = await measureDisk()
  console.log(line)
  if (values.document) write(page, withDiskLine(readPage(), line))
  process.exit(0)
}

if (values.hashes) {
  console.log(await measureHashes())
  process.exit(0)
}

const all: Figures[] = []
for (const guests of wantedSizes()) all.push(await measure(guests))

console.log(`\n${table(all)}\n\n${slope(all)}`)
const missed = missedBudgets(all)
console.log(missed.length === 0 ? 'No budget was missed.' : `Missed:\n  ${missed.join('\n  ')}`)
const json = JSON.stringify(values.guests === undefined ? all : all[0], null, 2)
write(values.out ?? path.join(import.meta.dirname, 'out', 'figures.json'), `${json}\n`)
if (values.document) {
  const today = new Date().toISOString().slice(0, 10)
  write(page, withDiskLine(document(all, today), diskLine(readPage())))
}
