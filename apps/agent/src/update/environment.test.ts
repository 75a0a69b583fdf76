import { expect, test } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import { cleanEnvironment } from './environment.ts'

test('[S12] the new version gets the same settings as variables, and none that would load other code', () => {
  const args = [
    '--url',
    'https://p.test/pulse',
    '--token',
    'one',
    '--insecure',
    '--interval',
    '1m30s',
    '--agent-id',
    'me',
  ]
  const settings = readSettings(args, {})
  const env = {
    PATH: '/bin',
    LD_PRELOAD: '/tmp/x.so',
    NODE_OPTIONS: '--require /tmp/x.js',
    PULSE_TOKEN: 'old',
  }
  const clean = cleanEnvironment(settings, env)
  expect(clean).toEqual({
    PATH: '/bin',
    PULSE_TARGETS: 'https://p.test/pulse|one|true',
    PULSE_INTERVAL: '90000ms',
    PULSE_AGENT_ID: 'me',
    PULSE_NO_AUTO_UPDATE: 'false',
  })
  expect(readSettings([], clean)).toEqual(settings)
})
