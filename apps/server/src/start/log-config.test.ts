import { expect, test } from 'vitest'
import { readLogFile } from './config.ts'

test('[facts/platform 11] without LOG_FILE there is no log file', () =>
  expect(readLogFile({})).toBeUndefined())

test('[facts/platform 11] the defaults are 100 MB, 30 days, compressed', () => {
  expect(readLogFile({ LOG_FILE: '/var/log/pulse.log' })).toEqual({
    file: '/var/log/pulse.log',
    maxSizeMB: 100,
    maxAgeDays: 30,
    compress: true,
  })
})

test.each([
  [
    { LOG_MAX_SIZE: '5', LOG_MAX_AGE: '0', LOG_COMPRESS: 'false' },
    { maxSizeMB: 5, maxAgeDays: 0, compress: false },
  ],
  [{ LOG_COMPRESS: ' TRUE ' }, { compress: true }],
])('%j', (env, expected) => expect(readLogFile({ LOG_FILE: '/x.log', ...env })).toMatchObject(expected))

test.each([
  [{ LOG_FILE: '/x.log', LOG_MAX_SIZE: '0' }, 'LOG_MAX_SIZE is "0".'],
  [{ LOG_FILE: '/x.log', LOG_MAX_SIZE: '1.5' }, 'LOG_MAX_SIZE is "1.5".'],
  [{ LOG_FILE: '/x.log', LOG_MAX_AGE: 'week' }, 'LOG_MAX_AGE is "week".'],
  [{ LOG_FILE: '/x.log', LOG_COMPRESS: 'gzip' }, 'LOG_COMPRESS is "gzip".'],
  [{ LOG_MAX_AGE: '7' }, 'LOG_MAX_AGE is set, but LOG_FILE is not.'],
])('%j is refused', (env, message) => expect(() => readLogFile(env)).toThrow(message))
