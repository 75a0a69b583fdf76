// @vitest-environment happy-dom
import { emailDefaults } from '@pulse/contract'
import { act, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { click, saveCall, toasts } from '../fake-alerts.tsx'
import {
  appriseCall,
  card,
  deliveriesCall,
  emailCall,
  fill,
  hostsCall,
  press,
  refusal,
  saveAppriseCall,
  saveEmailCall,
  saveHostsCall,
  showDestinations,
  webhooksCall,
  destinationsAlone,
  field,
  isUnsaved,
} from './fixtures.tsx'

const enabled = { ...emailDefaults, enabled: true, server: 'mail.lan', from: 'pulse@mail.lan', port: 465 }

destinationsAlone()

describe('[spec 3 §2] the page', () => {
  test('has three cards, the log, and the hosts that may be called', async () => {
    await showDestinations()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Notification Destinations')
    const [, , ...titles] = screen.getAllByRole('heading', { level: 2 })
    const fixed = [
      'Email',
      'Apprise',
      'Webhooks',
      'No webhooks yet',
      'Delivery log',
      'Nothing sent yet',
      'Allowed hosts',
    ]
    // other kinds of channel may appear between these cards
    const shown = titles.map(({ textContent }) => textContent)
    expect(shown.filter((title) => fixed.includes(title!))).toEqual(fixed)
    expect(card('Webhooks').getByText('0 configured')).toBeDefined()
  })

  test('who is no administrator reads why there is nothing to see, and nothing is asked', async () => {
    const view = await showDestinations({}, { role: 'viewer' })
    expect(
      screen.getByText('You need administrator access to see and change where alerts are sent.'),
    ).toBeDefined()
    expect(view.calls.filter(({ call }) => call.includes('/notifications/'))).toEqual([])
  })

  test.each([
    [emailCall, 'the email settings'],
    [appriseCall, 'the Apprise settings'],
    [webhooksCall, 'the webhooks'],
    [deliveriesCall, 'the delivery log'],
    [hostsCall, 'the allowed hosts'],
  ])('[spec 3 §8] %s that fails to load shows an error there, and can be retried', async (call, what) => {
    const view = await showDestinations({ [call]: refusal('the disk is full', {}, 500) })
    const failed = screen.getByText(`Failed to load ${what}`).closest('section')!
    expect(failed.textContent).toContain('the disk is full')
    const before = view.asked(call).length
    await press(card(failed.querySelector('h2')!.textContent).getByRole('button', { name: 'Retry' }))
    await view.settled()
    expect(view.asked(call)).toHaveLength(before + 1)
  })

  test('[spec 3 §7] email and Apprise are read again whenever it is shown', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await act(async () => view.router.go('/alerts/overview'))
    view.answers[emailCall] = { ...enabled, server: 'new.lan' }
    await act(async () => view.router.go('/alerts/destinations'))
    await view.settled()
    expect([view.asked(emailCall).length, view.asked(appriseCall).length]).toEqual([2, 2])
    expect(field('Email', 'SMTP server').value).toBe('new.lan')
  })
})

describe('[spec 3 §4] saving', () => {
  test('sends what was edited, wherever it was, and nothing else', async () => {
    const view = await showDestinations()
    await press(card('Email').getByRole('switch'))
    await fill(field('Email', 'SMTP server'), ' mail.lan ')
    await fill(field('Email', 'From address'), 'pulse@mail.lan')
    await fill(field('Email', 'Recipients'), 'a@mail.lan\n\n b@mail.lan')
    await press(screen.getByRole('switch', { name: 'Send all-clears' }))
    expect(isUnsaved()).toBe(true)
    await click('Save Changes')
    await view.settled()
    const { hasPassword: _has, ...defaults } = emailDefaults
    expect(view.asked(saveEmailCall).map(({ body }) => body)).toEqual([
      {
        ...defaults,
        enabled: true,
        server: 'mail.lan',
        from: 'pulse@mail.lan',
        to: ['a@mail.lan', 'b@mail.lan'],
      },
    ])
    expect(view.asked(saveCall).map(({ body }) => body)).toMatchObject([
      { schedule: { notifyOnResolve: false } },
    ])
    expect([view.asked(saveAppriseCall), view.asked(saveHostsCall)]).toEqual([[], []])
    expect([isUnsaved(), toasts()]).toEqual([false, ['success: Configuration saved successfully!']])
  })

  test('an edit that brings back what is stored is none', async () => {
    await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    expect(isUnsaved()).toBe(true)
    await fill(field('Email', 'SMTP server'), 'mail.lan')
    expect(isUnsaved()).toBe(false)
  })

  test('edits outlive a visit to another page, and can be saved there', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    await act(async () => view.router.go('/alerts/schedule'))
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveEmailCall)[0]!.body).toMatchObject({ server: 'other.lan' })
  })

  test('what is missing keeps it, is said at the field and named for who is elsewhere', async () => {
    const view = await showDestinations()
    await press(card('Email').getByRole('switch'))
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveEmailCall)).toEqual([])
    expect(card('Email').getByText('SMTP server is required')).toBeDefined()
    expect(field('Email', 'SMTP server').getAttribute('aria-invalid')).toBe('true')
    expect([isUnsaved(), toasts()]).toEqual([true, ['error: Email: SMTP server is required']])
    await fill(field('Email', 'SMTP server'), 'mail.lan')
    expect(card('Email').queryByText('SMTP server is required')).toBeNull()
    expect(card('Email').getByText('From address is required')).toBeDefined()
  })

  test('what the server objects to stands at the field; the other parts are saved', async () => {
    const view = await showDestinations({
      [emailCall]: { ...enabled, hasPassword: true },
      [saveEmailCall]: () =>
        refusal('The password is needed again.', { details: { password: 'Again, please.' } }),
    })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    await fill(field('Allowed hosts', 'Hosts'), 'localhost:25\n\nlocalhost:25')
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveHostsCall).map(({ body }) => body)).toEqual([{ allowedHosts: ['localhost:25'] }])
    expect(field('Email', 'Password').getAttribute('aria-invalid')).toBe('true')
    expect(card('Email').getByText(/never sends a saved password to a different destination/)).toBeDefined()
    expect([isUnsaved(), toasts()]).toEqual([true, ['error: The password is needed again.']])
  })

  test('a failure without words has ours', async () => {
    const view = await showDestinations({ [emailCall]: enabled, [saveEmailCall]: 500 })
    await fill(field('Email', 'Username'), 'ann')
    await click('Save Changes')
    await view.settled()
    expect(toasts()).toEqual(['error: Failed to save configuration'])
  })

  test('discarding reads the stored settings again', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    view.answers[emailCall] = { ...enabled, server: 'third.lan' }
    await click('Discard')
    await view.settled()
    expect(field('Email', 'SMTP server').value).toBe('third.lan')
    expect([isUnsaved(), toasts()]).toEqual([false, ['success: Changes discarded']])
  })

  test('when that fails the edits stay', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    view.answers[emailCall] = 500
    await click('Discard')
    await view.settled()
    expect([isUnsaved(), toasts()]).toEqual([true, ['error: Failed to reload configuration']])
  })
})
