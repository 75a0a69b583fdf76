import type { Node, NodeSensors } from '@pulse/contract'
import { expect, test } from 'vitest'
import { createEstate } from '../estate.ts'

const node = (cpu: number): Node => ({
  id: 'main-pve1',
  instance: 'main',
  node: 'pve1',
  name: 'pve1',
  displayName: 'pve1',
  type: 'node',
  status: 'online',
  cpu,
  loadAverage: [],
  connectionHealth: 'healthy',
  source: 'c1',
})
const sensors = (cpuPackage: number): NodeSensors => ({
  source: 'c1',
  node: 'pve1',
  temperature: { available: true, hasCPU: true, hasNVMe: false, cpuPackage },
})
const id = 'c1:pve1'

function given() {
  const estate = createEstate()
  return {
    poll: (cpu: number) => estate.observe('c1', { nodes: new Map([[id, node(cpu)]]) }),
    read: (temp: number) => estate.observe('sensors', { nodeSensors: new Map([[id, sensors(temp)]]) }),
    forget: (source: string) => estate.forget(source),
    shown: () => estate.tables.nodes.get(id)?.temperature?.cpuPackage,
  }
}

test('a reading is joined to its node, whichever comes first', () => {
  const first = given()
  first.poll(0.1)
  expect(first.read(50).nodes?.put.get(id)).toMatchObject({ temperature: { cpuPackage: 50 } })
  const second = given()
  expect(second.read(50).nodes).toBeUndefined()
  second.poll(0.1)
  expect(second.shown()).toBe(50)
})

test('it lasts over polls, and the same reading again is no patch of the node', () => {
  const { poll, read, shown } = given()
  poll(0.1)
  read(50)
  poll(0.2)
  expect(shown()).toBe(50)
  expect(read(50).nodes).toBeUndefined()
})

test('it goes when its source is forgotten, and the node stays', () => {
  const { poll, read, forget, shown } = given()
  poll(0.1)
  read(50)
  expect(forget('sensors').nodes?.put.get(id)).toEqual(node(0.1))
  expect(shown()).toBeUndefined()
})
