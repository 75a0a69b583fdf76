import { sensorsRecordings } from '@pulse/lab'
import { describe, expect, test } from 'vitest'
import { toNodeTemperature, withReading } from './watch.ts'
import { readSensors } from './sensors.ts'

describe('[facts/collection 1.12] what sensors -j says', () => {
  const cases: { what: keyof typeof sensorsRecordings; expected: ReturnType<typeof readSensors> }[] = [
    {
      what: 'intel',
      expected: {
        cpuPackage: 54,
        cpuMax: 53,
        cores: [
          { core: 0, temp: 51 },
          { core: 4, temp: 53 },
          { core: 8, temp: 49 },
        ],
        nvme: [{ device: 'nvme-pci-0200', temp: 41.9 }],
      },
    },
    {
      what: 'intelTwoSockets',
      expected: {
        cpuPackage: 66,
        cpuMax: 65,
        cores: [
          { core: 0, temp: 65 },
          { core: 1, temp: 60 },
        ],
        nvme: [],
      },
    },
    {
      what: 'amd',
      expected: {
        cpuPackage: 51.6,
        cpuMax: 48.8,
        cores: [],
        nvme: [{ device: 'nvme-pci-0100', temp: 36.9 }],
      },
    },
    { what: 'amdTdie', expected: { cpuPackage: 44.3, cpuMax: 44.3, cores: [], nvme: [] } },
    { what: 'amdUnnamed', expected: { cpuPackage: 58, cpuMax: 58, cores: [], nvme: [] } },
    { what: 'arm', expected: { cpuPackage: 46.7, cpuMax: 46.7, cores: [], nvme: [] } },
    {
      what: 'nvmeOnly',
      expected: {
        cores: [],
        nvme: [
          { device: 'nvme-pci-0400', temp: 39.9 },
          { device: 'nvme-pci-0600', temp: 44.9 },
        ],
      },
    },
    { what: 'broken', expected: { cpuPackage: 48, cpuMax: 47, cores: [{ core: 1, temp: 47 }], nvme: [] } },
    { what: 'none', expected: { cores: [], nvme: [] } },
  ]
  test.each(cases)('$what', ({ what, expected }) => {
    expect(readSensors(sensorsRecordings[what])).toEqual(expected)
  })

  test.each(['', 'sensors: command not found', '[]', '7', '"text"', '{"coretemp":', 'null'])(
    '%j is no output of sensors',
    (text) => expect(readSensors(text)).toBeUndefined(),
  )

  test.each([
    '{"coretemp-isa-0000":null}',
    '{"coretemp-isa-0000":{"Core 0":7,"Core 1":{"temp1_input":{}}}}',
    '{"coretemp-isa-0000":{"Package id 0":{"temp1_input":151},"Core 0":{"temp2_input":1e999}}}',
    '{"__proto__":{"Package id 0":{"temp1_input":50}}}',
  ])('%s holds no temperature', (text) => expect(readSensors(text)).toEqual({ cores: [], nvme: [] }))
})

describe('[facts/collection 1.12] the lowest and the highest since start', () => {
  const of = (temp: number) => ({ cpuPackage: temp, cpuMax: temp, cores: [], nvme: [] })

  test('are kept with their times', () => {
    const extremes = [50, 42, 71, 60].reduce(
      (known, temp, at) => withReading(known, of(temp), at * 1_000),
      undefined as ReturnType<typeof withReading>,
    )
    expect(toNodeTemperature(of(60), extremes, 3_000)).toEqual({
      available: true,
      hasCPU: true,
      hasNVMe: false,
      cpuPackage: 60,
      cpuMax: 60,
      cpuMin: 42,
      cpuMaxRecord: 71,
      minRecorded: '1970-01-01T00:00:01.000Z',
      maxRecorded: '1970-01-01T00:00:02.000Z',
      lastUpdate: '1970-01-01T00:00:03.000Z',
    })
  })

  test('a node without usable sensors shows no temperature', () => {
    expect(toNodeTemperature({ cores: [], nvme: [] }, undefined, 0)).toBeUndefined()
  })
})

// Each of these made an earlier expression scan the whole text once per line.
test.each(['\n', '\n\t', ' ', ', ', ': ', 'ERROR:', '\nERROR', ',', '{"a":', 'nan'])(
  '[S15] 64 KB of %j is no reading',
  (piece) => expect(readSensors(piece.repeat(65_536 / piece.length))).toBeUndefined(),
)
