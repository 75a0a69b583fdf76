import { describe, expect, test } from 'vitest'
import { anAlertConfig } from '../fake-alerts.tsx'
import { tidyDelays } from '../tidy-delays.ts'
import { commonDelay, ownDelay, withDelay, withoutDelays } from './delay.ts'

describe('[spec 3 §5] seconds of delay', () => {
  const config = anAlertConfig({ metricTimeThresholds: { guest: { cpu: 60 } } })

  test.each(['guest', 'node', 'storage', 'pbs', 'docker'] as const)('[spec 3 §9] of %s are 5', (kind) => {
    expect(commonDelay(anAlertConfig(), kind, 'cpu')).toBe(5)
  })

  test('of one metric are its own', () => {
    expect(withDelay(config, 'guest', 'diskRead', '30').metricTimeThresholds).toEqual({
      guest: { cpu: 60, diskread: 30 },
    })
  })

  test.each(['', '  ', '5'])('%j is what is common', (text) => {
    expect(withDelay(config, 'guest', 'cpu', text).metricTimeThresholds).toEqual({})
  })

  test.each([
    ['0', 0],
    ['-3', 0],
    ['12.4', 12],
  ])('%j is %i', (text, seconds) => {
    expect(ownDelay(withDelay(config, 'guest', 'cpu', text), 'guest', 'cpu')).toBe(seconds)
  })

  test('what is no number changes nothing', () => {
    expect(withDelay(config, 'guest', 'cpu', 'soon')).toBe(config)
  })

  test('of a kind go at once', () => {
    expect(withoutDelays(config, 'guest').metricTimeThresholds).toEqual({})
  })

  test('are kept under small letters, as whole numbers from 0', () => {
    expect(tidyDelays({ ' Guest ': { ' CPU': 3.6, disk: -1, '': 4 }, node: { cpu: Number.NaN } })).toEqual({
      guest: { cpu: 4 },
    })
  })
})
