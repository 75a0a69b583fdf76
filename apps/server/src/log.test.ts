import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test.each([false, true])(
  'the level counts at once, for children that exist already too; pretty: %s',
  (pretty) => {
    const lines: string[] = []
    const { log, audit, setLevel } = createLog('info', pretty, (line) => void lines.push(line))
    const child = log.child({ source: 'pve' })
    const heard = () => {
      lines.length = 0
      for (const one of [log, child]) {
        one.debug('debug')
        one.info('info')
        one.error('error')
      }
      return lines.length
    }
    expect(heard()).toBe(4)
    setLevel('debug')
    expect(heard()).toBe(6)
    setLevel('error')
    expect(heard()).toBe(2)
    setLevel('silent')
    expect(heard()).toBe(0)
    // [S22] the level does not silence the audit log
    audit.info({ audit: { actor: 'anna' } }, 'audit: login')
    expect(lines).toEqual([expect.stringContaining('audit: login')])
  },
)
