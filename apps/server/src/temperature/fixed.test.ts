import { expect, test } from 'vitest'
import { fixedSwitches, readTemperatureNodes } from './fixed.ts'

const read = (text: string) => readTemperatureNodes({ TEMPERATURE_NODES: text })

test('the variable names nodes of connections, each on, off, or on with a port', () => {
  expect(readTemperatureNodes({})).toEqual([])
  expect(read('main/pve1, main/pve2=off,a/b c/pve3.lan=2222,')).toEqual([
    { instance: 'main', node: 'pve1', enabled: true, port: undefined, by: 'TEMPERATURE_NODES' },
    { instance: 'main', node: 'pve2', enabled: false, port: undefined, by: 'TEMPERATURE_NODES' },
    { instance: 'a/b c', node: 'pve3.lan', enabled: true, port: 2222, by: 'TEMPERATURE_NODES' },
  ])
})

test.each([
  'pve1',
  '/pve1',
  'main/',
  'main/pve1=maybe',
  'main/pve1=0',
  'main/pve1=65536',
  'main/a b',
  'main/-o',
  'main/a=on=off',
])('%j stops the start', (text) => expect(() => read(text)).toThrow(/^TEMPERATURE_NODES holds/))

test('no more than a thousand', () => {
  expect(() => read(Array.from({ length: 1_001 }, (_, n) => `main/n${n}`).join())).toThrow('1001 nodes')
})

test('the later list counts, whatever the case of the connection’s name', () => {
  const one = { instance: 'Main', node: 'pve1', enabled: true, port: undefined, by: 'pulse.yaml' }
  const switches = fixedSwitches([one, { ...one, node: 'pve2' }], read('main/pve1=off'))
  expect(switches.all).toHaveLength(2)
  expect(switches.of('MAIN', 'pve1')).toMatchObject({ enabled: false, by: 'TEMPERATURE_NODES' })
  expect(switches.of('main', 'pve2')).toMatchObject({ enabled: true, by: 'pulse.yaml' })
  expect(switches.of('other', 'pve1')).toBeUndefined()
})
