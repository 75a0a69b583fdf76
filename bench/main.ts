import fs from 'node:fs'
import path from 'node:path'
import { measureAgent } from './agent.ts'
import { measureAgents } from './agents.ts'
import { agentTable, missedAgentBudgets, withAgents } from './agents-report.ts'
import { measureAlertHistory } from './alert-history.ts'
import { alertHistoryTable, missedAlertHistoryBudgets, withAlertHistory } from './alert-history-report.ts'
import { measureAlerts } from './alerts.ts'
import { alertTable, missedAlertBudgets, withAlerts } from './alerts-report.ts'
import { measureBackups } from './backups.ts'
import { backupTable, missedBackupBudgets, withBackups } from './backups-report.ts'
import { measureBrowsers } from './browser.ts'
import { missedBudgets } from './budgets.ts'
import { measureBundle } from './bundle.ts'
import { measureDisk } from './disk.ts'
import { startEstates } from './estate.ts'
import { measureCluster } from './cluster.ts'
import { clusterTable, missedClusterBudgets, withCluster } from './cluster-report.ts'
import { demandMeasured, type Figures } from './figures.ts'
import { type Arguments, type ClusterPart, ownProduct, readArguments } from './arguments.ts'
import { historyTable, missedHistoryBudgets, withHistory } from './history-report.ts'
import { measureHistory } from './history.ts'
import { measureHashes } from './hashes.ts'
import { measureLarge } from './large.ts'
import { largeTable, missedLargeBudgets, withLarge } from './large-report.ts'
import { writePage } from './page.ts'
import { machineLine, slope, table, withAgentLines, withDiskLine, withMeasured } from './report.ts'
import type { Scenario } from './scenarios.ts'
import { measureServer } from './server.ts'
import { measureTakeover } from './takeover.ts'
import { missedTakeoverBudgets, takeoverTable, withTakeover } from './takeover-report.ts'

/** The builds of these checkouts beside each other, so that whatever else the machine does slows all of them. */
async function measure(scenario: Scenario, products: readonly string[]): Promise<Figures[]> {
  console.log(
    `${scenario.name}: ${products.map((one) => (one === ownProduct ? 'this checkout' : one)).join(' and ')} …`,
  )
  const estates = await startEstates(scenario, products)
  try {
    const ours = [process.pid, ...estates.flatMap(({ serverPid, labPid }) => [serverPid, labPid])]
    const servers = await Promise.all(
      estates.map((estate, n) => measureServer(estate, scenario, products[n]!, ours)),
    )
    const seen = scenario.browser ? await measureBrowsers(estates.map(({ url }) => url)) : []
    const all = products.map((product, n) =>
      demandMeasured({
        scenario: scenario.name,
        guests: scenario.guests,
        ...servers[n]!,
        ...(seen[n] && { browser: seen[n].browser }),
        bundle: measureBundle(product, seen[n]?.firstPageFiles),
      }),
    )
    console.log(machineLine(all.at(-1)!))
    return all
  } finally {
    for (const estate of estates) await estate.stop()
  }
}

function readOrExit(): Arguments {
  try {
    return readArguments()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

function write(file: string, text: string) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  console.log(`written: ${file}`)
}

const { scenarios, product, before, ...asked } = readOrExit()

if (asked.disk) {
  const line = await measureDisk()
  console.log(line)
  if (asked.document) await writePage((page) => withDiskLine(page, line))
  process.exit(0)
}

if (asked.hashes) {
  console.log(await measureHashes())
  process.exit(0)
}

if (asked.agent) {
  const lines = await measureAgent()
  console.log(lines)
  if (asked.document) await writePage((page) => withAgentLines(page, lines))
  process.exit(0)
}

const today = new Date().toISOString().slice(0, 10)

/** Several processes: the parts that are wanted, one after the other. */
async function benchCluster(
  part: ClusterPart | 'all',
  { clusterGuests, kills, document }: Pick<Arguments, 'clusterGuests' | 'kills' | 'document'>,
) {
  const wants = (one: ClusterPart) => part === 'all' || part === one
  if (wants('roles')) {
    const figures = await measureCluster(clusterGuests)
    tell('cluster', figures, clusterTable(figures), missedClusterBudgets(figures))
    if (document) await writePage((page) => withCluster(page, figures, today))
  }
  if (wants('takeover')) {
    const figures = await measureTakeover(kills)
    tell('takeover', figures, takeoverTable(figures), missedTakeoverBudgets(figures))
    if (document) await writePage((page) => withTakeover(page, figures, today))
  }
  if (wants('large')) {
    const figures = await measureLarge(5 * clusterGuests)
    tell('large', figures, largeTable(figures), missedLargeBudgets(figures))
    if (document) await writePage((page) => withLarge(page, figures, today))
  }
}

/** Reports a single measurement: figures to a file, the table and missed budgets to the console. */
function tell(name: string, figures: object, table: string, missed: readonly string[]) {
  const file = asked.out ?? path.join(import.meta.dirname, 'out', `${name}.json`)
  write(file, `${JSON.stringify(figures, null, 2)}\n`)
  console.log(`\n${table}\n`)
  console.log(missed.length === 0 ? 'No budget was missed.' : `Missed:\n  ${missed.join('\n  ')}`)
}

if (asked.cluster !== undefined) {
  await benchCluster(asked.cluster, asked)
  process.exit(0)
}

if (asked.backups !== undefined) {
  const figures = await measureBackups(asked.backups, product)
  tell('backups', figures, backupTable(figures), missedBackupBudgets(figures))
  if (asked.document) await writePage((page) => withBackups(page, figures, today))
  process.exit(0)
}

if (asked.agents !== undefined) {
  const figures = await measureAgents(asked.agents, product)
  tell('agents', figures, agentTable(figures), missedAgentBudgets(figures))
  if (asked.document) await writePage((page) => withAgents(page, figures, today))
  process.exit(0)
}

if (asked.alerts !== undefined) {
  const figures = await measureAlerts(asked.alerts)
  tell('alerts', figures, alertTable(figures), missedAlertBudgets(figures))
  if (asked.document) await writePage((page) => withAlerts(page, figures, today))
  process.exit(0)
}

if (asked.alertHistory !== undefined) {
  const figures = await measureAlertHistory(asked.alertHistory, product)
  tell('alert-history', figures, alertHistoryTable(figures), missedAlertHistoryBudgets(figures))
  if (asked.document) await writePage((page) => withAlertHistory(page, figures, today))
  process.exit(0)
}

if (asked.history !== undefined) {
  const figures = await measureHistory(asked.history, product)
  tell('history', figures, historyTable(figures), missedHistoryBudgets(figures))
  if (asked.document) await writePage((page) => withHistory(page, figures, today))
  process.exit(0)
}

const out = asked.out ?? path.join(import.meta.dirname, 'out', 'figures.json')
const json = (figures: Figures[]) =>
  `${JSON.stringify(scenarios.length > 1 ? figures : figures[0], null, 2)}\n`
const old = before.figures
const all: Figures[] = []
for (const scenario of scenarios) {
  if (before.checkout) {
    const [was, is] = await measure(scenario, [before.checkout, product])
    old.push(was!)
    all.push(is!)
    write(out.replace(/(\.json)?$/, '.before.json'), json(old))
  } else {
    all.push(...(await measure(scenario, [product])))
  }
  write(out, json(all))
}

console.log(`\n${table(all, old)}\n\n${slope(all)}`)
const missed = missedBudgets(all)
console.log(missed.length === 0 ? 'No budget was missed.' : `Missed:\n  ${missed.join('\n  ')}`)
if (asked.document) await writePage((page) => withMeasured(page, all, old, today))
