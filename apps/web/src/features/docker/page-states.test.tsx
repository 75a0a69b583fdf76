// @vitest-environment happy-dom
import { aDockerHost } from '@pulse/testkit'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { estate, given, host, inFreshBrowsers, now, onDock1, rows, type } from './fake-docker.tsx'

inFreshBrowsers()

const heading = (name: string) => screen.queryByRole('heading', { name })

describe('states of the Docker page', () => {
  test('[spec 1 §2] a loading placeholder before the first data', async () => {
    await given({}, { status: 'connecting', initialDataReceived: false })
    expect(screen.getByRole('status').textContent).toBe(
      'Loading Docker hostsConnecting to the monitoring service',
    )
  })

  test('no host has ever reported', async () => {
    await given({})
    expect(heading('No Docker hosts configured')).not.toBeNull()
    expect(screen.getByRole('link', { name: 'Add Host' }).getAttribute('href')).toBe('/settings/docker')
  })

  test('all hosts are hidden', async () => {
    await given(onDock1({ hidden: true }, {}))
    expect(heading('The only Docker host is hidden')).not.toBeNull()
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings/docker')
    expect(screen.getByText(/^It still reports\./)).toBeDefined()
    cleanup()
    const hidden = { hidden: true }
    await given({ dockerHosts: { a: aDockerHost(hidden), b: aDockerHost({ ...hidden, id: 'b' }) } })
    expect(heading('All Docker hosts are hidden')).not.toBeNull()
    expect(screen.getByText(/^They still report\./)).toBeDefined()
  })

  test('[spec 1 §4] the connection is lost, with what was known in grey', async () => {
    await given({}, { status: 'disconnected', initialDataReceived: false })
    expect(heading('Connection lost')).not.toBeNull()
    cleanup()
    await given(estate, { status: 'reconnecting', initialDataReceived: false, lastUpdate: now })
    expect(screen.getByText('Attempting to reconnect')).toBeDefined()
    expect(screen.getByLabelText('Containers').closest('.grayscale')).not.toBeNull()
    expect(host('dock1').closest('.grayscale')).not.toBeNull()
  })

  test('nothing is found', async () => {
    await given()
    await type('zzz')
    expect(heading('No containers found')).not.toBeNull()
    expect(screen.getByText('No containers match your search "zzz"')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(rows()).toHaveLength(5)
  })

  test('nothing is found on the host that is shown alone', async () => {
    await given()
    fireEvent.click(host('Cellar'))
    await type('web')
    expect(screen.getByText('No containers match your search "web" on Cellar')).toBeDefined()
  })

  test('a host that is shown alone has no containers', async () => {
    await given({ ...estate, dockerContainers: { c1: estate.dockerContainers.c1 } })
    fireEvent.click(host('Cellar'))
    expect(heading('No containers on Cellar')).not.toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Show all hosts' }))
    expect(rows()).toEqual(['host:dock1', 'container:c1'])
  })
})
