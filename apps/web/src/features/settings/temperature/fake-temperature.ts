import type { TemperatureNode } from '@pulse/contract'

export const aTemperatureNode = (over: Partial<TemperatureNode> = {}): TemperatureNode => ({
  connectionId: 'c1',
  instance: 'prod',
  node: 'pve1',
  address: '192.0.2.11',
  enabled: false,
  port: 22,
  status: 'off',
  ...over,
})
