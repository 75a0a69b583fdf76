/** The result of one run of `sensors -j`, in degrees Celsius. Fields without a usable value are absent. */
export interface SensorsReading {
  cpuPackage?: number
  cpuMax?: number
  cores: { core: number; temp: number }[]
  nvme: { device: string; temp: number }[]
}

/** Chips of the processor come before chips that may measure anything on the board. */
const cpuChips = ['coretemp', 'k10temp', 'zenpower', 'k8temp', 'cpu_thermal', 'rpitemp']
const boardChips = ['acpitz', 'it87']
const mostCores = 1_024
const mostDisks = 128

interface Value {
  chip: string
  label: string
  temp: number
}

/** Returns undefined if the text is not the output of sensors. */
export function readSensors(text: string): SensorsReading | undefined {
  const chips = parseLeniently(text)
  if (!isObject(chips)) return undefined
  const values = Object.entries(chips).flatMap(([chip, features]) => valuesOf(chip, features))
  const ofChips = (names: readonly string[]) =>
    names.flatMap((name) => values.filter(({ chip }) => chip.toLowerCase().includes(name)))
  const cpu = ofChips(cpuChips)
  const cores = coresOf(cpu)
  const cpuPackage =
    hottest(cpu, /^package id/i) ??
    hottest(cpu, /^tdie/i) ??
    hottest(cpu, /^tctl/i) ?? // on some AMD models above the die's temperature
    (cores.length > 0 ? undefined : [...cpu, ...ofChips(boardChips)][0]?.temp)
  const cpuMax = cores.length > 0 ? Math.max(...cores.map(({ temp }) => temp)) : hottest(cpu, /^tccd/i)
  const highest = cpuMax ?? cpuPackage
  return {
    ...(cpuPackage !== undefined && { cpuPackage }),
    ...(highest !== undefined && { cpuMax: highest }),
    cores,
    nvme: disksOf(values),
  }
}

/**
 * sensors 3.6 prints unreadable values as `nan`, or as a separate line if stderr is included. It leaves a
 * trailing comma where every feature of a chip is ignored.
 */
function parseLeniently(text: string): unknown {
  const mended = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('ERROR:'))
    .join('\n')
    .replace(/:\s*-?(?:nan|inf)\b/gi, ': null')
    .replace(/,(?=\s*[}\]])/g, '')
  try {
    return JSON.parse(mended)
  } catch {
    return undefined
  }
}

/** All plausible temperatures of one chip. A disconnected sensor shows 0, a negative value or 65261. */
function valuesOf(chip: string, features: unknown): Value[] {
  if (!isObject(features)) return []
  return Object.entries(features).flatMap(([label, subfeatures]) => {
    if (!isObject(subfeatures)) return []
    const input = Object.entries(subfeatures).find(([name]) => /^temp\d+_input$/.test(name))?.[1]
    const temp = typeof input === 'string' ? Number.parseFloat(input) : input
    return typeof temp === 'number' && temp > 0 && temp <= 150 ? [{ chip, label, temp: rounded(temp) }] : []
  })
}

/** The second socket numbers its cores from 0 again. The hotter of two cores with one number counts. */
function coresOf(values: readonly Value[]): SensorsReading['cores'] {
  const byCore = new Map<number, number>()
  for (const { label, temp } of values) {
    const core = /^core (\d{1,5})$/i.exec(label)?.[1]
    if (core !== undefined) byCore.set(Number(core), Math.max(temp, byCore.get(Number(core)) ?? 0))
  }
  const cores = [...byCore].map(([core, temp]) => ({ core, temp }))
  return cores.sort((a, b) => a.core - b.core).slice(0, mostCores)
}

function disksOf(values: readonly Value[]): SensorsReading['nvme'] {
  const disks = values.filter(({ chip }) => /nvme/i.test(chip))
  const names = [...new Set(disks.map(({ chip }) => chip))].sort().slice(0, mostDisks)
  return names.flatMap((device) => {
    const own = disks.filter(({ chip }) => chip === device)
    const chosen =
      own.find(({ label }) => label === 'Composite') ?? own.find(({ label }) => label === 'Sensor 1')
    return chosen ? [{ device: device.slice(0, 64), temp: chosen.temp }] : []
  })
}

function hottest(values: readonly Value[], label: RegExp): number | undefined {
  const found = values.filter((value) => label.test(value.label)).map(({ temp }) => temp)
  return found.length > 0 ? Math.max(...found) : undefined
}

const rounded = (temp: number) => Math.round(temp * 10) / 10

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
