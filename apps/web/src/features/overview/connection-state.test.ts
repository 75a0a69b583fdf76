import { expect, test } from 'vitest'
import { connectionNotice } from './connection-state.ts'

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
    const notice = connectionNotice(status, received, before)
    expect(notice).toMatchObject({ title, text, lost: title === 'Connection lost' })
  },
)

test('[spec 1 §4] connected and filled: nothing to say', () => {
  expect(connectionNotice('connected', true, true)).toBeUndefined()
})
