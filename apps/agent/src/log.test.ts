import { expect, test } from 'vitest'
import { createLog, errorText } from './log.ts'

const written = (level: 'debug' | 'warn', secrets: string[] = []) => {
  const lines: string[] = []
  return { lines, log: createLog({ level, secrets, now: () => 0, write: (line) => lines.push(line) }) }
}

test('a line has its time, its level and one event, even when a message contains line breaks', () => {
  const { lines, log } = written('debug')
  log.warn('the engine said\n2026 ERROR all is lost\u001b[31m')
  expect(lines).toEqual(['1970-01-01T00:00:00.000Z WARN  the engine said 2026 ERROR all is lost [31m\n'])
})

test('what is below the level is not written', () => {
  const { lines, log } = written('warn')
  log.info('x')
  log.debug('x')
  log.error('y')
  expect(lines).toHaveLength(1)
})

test('[S16] no line shows a token', () => {
  const { lines, log } = written('warn', ['tok-5ecret'])
  log.error(errorText(new Error('refused', { cause: new Error('tok-5ecret and tok-5ecret') })))
  expect(lines[0]).toContain('refused ([secret] and [secret])')
})
