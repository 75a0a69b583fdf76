import { expect, test } from 'vitest'
import { connectionNotice } from './connection-notice.ts'

const texts = { loading: 'Loading dashboard data' }

test.each([
  {
    status: 'connecting',
    received: false,
    before: false,
    title: 'Loading dashboard data',
    text: 'Connecting to the monitoring service',
  },
  {
    status: 'connected',
    received: false,
    before: false,
    title: 'Loading dashboard data',
    text: 'Connecting to the monitoring service',
  },
  {
    status: 'connected',
    received: false,
    before: true,
    title: 'Loading dashboard data',
    text: 'Reconnecting to the monitoring service',
  },
  {
    status: 'reconnecting',
    received: false,
    before: true,
    title: 'Connection lost',
    text: 'Attempting to reconnect',
  },
  {
    status: 'disconnected',
    received: false,
    before: true,
    title: 'Connection lost',
    text: 'Unable to connect to the backend server',
  },
] as const)(
  '[spec 1 §2] $status, first data $received: $title, $text',
  ({ status, received, before, title, text }) => {
    const notice = connectionNotice(status, received, before, texts)
    expect(notice).toMatchObject({ title, text, isConnectionLost: title === 'Connection lost' })
  },
)

test('[spec 1 §4] connected and filled: nothing to say', () => {
  expect(connectionNotice('connected', true, true, texts)).toBeUndefined()
})

test('[spec 1 §2] a page says it in its own words', () => {
  const mail = {
    loading: 'Loading mail gateways',
    loadingText: 'This may take a while.',
    connectionLost: { title: 'Disconnected from backend', reconnecting: 'Soon.', disconnected: 'Waiting.' },
  }
  expect(connectionNotice('disconnected', false, true, mail)).toEqual({
    title: 'Disconnected from backend',
    text: 'Waiting.',
    isConnectionLost: true,
  })
  expect(connectionNotice('connecting', false, false, mail)).toMatchObject({ text: 'This may take a while.' })
})
