// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { emailDefaults } from '@pulse/contract'
import { expect, test } from 'vitest'
import { click, freshBrowser } from '../fake-alerts.tsx'
import {
  button,
  card,
  field,
  fill,
  press,
  refusal,
  saveEmailCall,
  showDestinations,
  testCall,
} from './fixtures.tsx'

const why = 'localhost is this machine itself; an administrator can allow localhost:25 under Allowed hosts'
const email = { ...emailDefaults, enabled: true, server: 'localhost', from: 'pulse@mail.lan' }
const emailCalls = { 'GET /api/notifications/email': email }
const refused = () => refusal(why, { details: { server: why } })

freshBrowser()

test('what a field may not be stands at it, and leads to the setting that would allow it', async () => {
  const view = await showDestinations({ ...emailCalls, [saveEmailCall]: refused })
  await fill(field('Email', 'Username'), 'ann')
  await click('Save Changes')
  await view.settled()
  const server = field('Email', 'SMTP server')
  const note = document.getElementById(server.getAttribute('aria-describedby')!)!
  expect(note.textContent).toBe(why)
  const link = within(note).getByRole('link', { name: 'Allowed hosts' })
  expect(link.getAttribute('target')).toBeNull()
  await press(link)
  await waitFor(() => expect(document.activeElement).toBe(field('Allowed hosts', 'Hosts')))
  expect(view.router.view().location.path).toBe('/alerts/destinations')
  // the typed text is still there
  expect(field('Email', 'Username').value).toBe('ann')
})

test('a test that is refused says so at the field as well', async () => {
  const view = await showDestinations({ ...emailCalls, [testCall]: refused })
  await press(button('Email', 'Send Test Email'))
  await view.settled()
  expect(card('Email').getByRole('link', { name: 'Allowed hosts' })).toBeDefined()
})

test('from a dialog the setting opens apart, so that nothing typed is lost', async () => {
  const url = why.replaceAll('localhost:25', 'localhost')
  const view = await showDestinations({
    'POST /api/notifications/webhooks': () => refusal(url, { details: { url } }),
  })
  await click('Add Webhook')
  await act(async () => {})
  const dialog = within(screen.getByRole('dialog'))
  await fill(dialog.getByLabelText('Name'), 'Ops')
  await fill(dialog.getByLabelText('URL'), 'http://localhost/hook')
  await press(dialog.getByRole('button', { name: 'Add Webhook' }))
  await view.settled()
  const links = dialog.getAllByRole('link', { name: 'Allowed hosts' })
  expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual(
    links.map(() => ['/alerts/destinations#allowed-hosts', '_blank']),
  )
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Ops')
})
