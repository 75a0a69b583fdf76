import type { Protection } from '@pulse/contract'
import { expect, test } from 'vitest'
import { protectionWords } from './protection-words.ts'

const held = (more: object = {}) => ({ at: 1, instance: 'vault', datastore: 'main', ...more })

test.each<[string, Partial<Protection>, string[]]>([
  ['verified and in a job', { newest: held({ verification: 'ok' }), inJob: true }, []],
  ['on a storage that verifies nothing', { newest: held(), inJob: true }, []],
  ['whose jobs are unknown', { newest: held() }, []],
  ['without any backup', { inJob: true }, ['none']],
  ['without any backup or job', { inJob: false }, ['none', 'no-job']],
  ['whose newest run failed', { newest: held(), failed: { at: 2, error: 'no space' } }, ['failed']],
  ['whose newest backup is broken', { newest: held({ verification: 'failed' }) }, ['broken']],
  ['whose newest is not verified yet', { newest: held({ verification: 'never' }) }, ['unverified']],
  ['whose only backup is dated in the future', { newest: held({ future: true }) }, ['future']],
  ['whose newest may be another’s', { ambiguous: held() }, ['none', 'ambiguous']],
])('a guest %s', (_what, more, words) => {
  expect(protectionWords({ vmid: 100, source: 'c1', ...more })).toEqual(words)
})
