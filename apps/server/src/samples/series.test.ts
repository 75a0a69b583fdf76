import { figures } from '@pulse/contract'
import { sampledFields } from '@pulse/domain'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { gapCodes, gapMetric, idLabel, metricOf } from './series.ts'

const names = sampledFields.map(metricOf)

test('[N 5] names of series never change: dashboards and the past hang on them', () => {
  expect(names.toSorted()).toEqual([
    'pulse_backup_server_cpu',
    'pulse_backup_server_memory',
    'pulse_backup_server_memory_used',
    'pulse_ceph_available',
    'pulse_ceph_usage',
    'pulse_ceph_used',
    'pulse_container_cpu',
    'pulse_container_host_cpu',
    'pulse_container_host_memory',
    'pulse_container_host_memory_used',
    'pulse_container_host_running',
    'pulse_container_memory',
    'pulse_container_memory_used',
    'pulse_container_restarts',
    'pulse_datastore_available',
    'pulse_datastore_deduplication',
    'pulse_datastore_size',
    'pulse_datastore_usage',
    'pulse_datastore_used',
    'pulse_disk_life_remaining',
    'pulse_disk_temperature',
    'pulse_file_system_usage',
    'pulse_guest_cpu',
    'pulse_guest_disk',
    'pulse_guest_disk_read',
    'pulse_guest_disk_used',
    'pulse_guest_disk_write',
    'pulse_guest_memory',
    'pulse_guest_memory_used',
    'pulse_guest_network_in',
    'pulse_guest_network_out',
    'pulse_mail_gateway_deferred',
    'pulse_mail_gateway_held',
    'pulse_mail_gateway_mail_in',
    'pulse_mail_gateway_mail_out',
    'pulse_mail_gateway_oldest_mail',
    'pulse_mail_gateway_quarantined',
    'pulse_mail_gateway_quarantined_spam',
    'pulse_mail_gateway_quarantined_viruses',
    'pulse_mail_gateway_queued',
    'pulse_mail_gateway_spam_in',
    'pulse_mail_gateway_virus_in',
    'pulse_node_cpu',
    'pulse_node_disk',
    'pulse_node_disk_size',
    'pulse_node_disk_used',
    'pulse_node_memory',
    'pulse_node_memory_used',
    'pulse_node_swap_used',
    'pulse_node_temperature',
    'pulse_server_calls_per_minute',
    'pulse_server_live_clients',
    'pulse_server_loop_wait',
    'pulse_server_memory_used',
    'pulse_server_poll_duration',
    'pulse_server_written',
    'pulse_storage_available',
    'pulse_storage_size',
    'pulse_storage_usage',
    'pulse_storage_used',
  ])
  expect([gapMetric, gapCodes]).toEqual(['pulse_sample_gap', { silent: 1, stopped: 2 }])
})

test('[N 5] every figure has a name of its own, which is valid and not one of /metrics', () => {
  expect(new Set(names).size).toBe(names.length)
  const exported = Object.values(figures).flatMap((ofKind) =>
    Object.values(ofKind as Record<string, { prometheus?: { name: string } }>).map(
      ({ prometheus }) => prometheus?.name,
    ),
  )
  for (const name of [...names, gapMetric]) {
    expect(name).toMatch(/^pulse_[a-z_]+$/)
    expect(exported).not.toContain(name)
  }
})

test('[N 5] every name is documented, with its unit', () => {
  const page = fs.readFileSync(new URL('../../../../docs/samples-store.md', import.meta.url), 'utf8')
  for (const field of sampledFields) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${metricOf(field)}\` `))
    expect(row, metricOf(field)).toContain(`| ${field.unit}`)
  }
  expect(page).toContain(`\`${gapMetric}\``)
})

test('[N 5] a long id keeps its beginning and stays unique', () => {
  const long = 'main:'.repeat(200)
  expect(idLabel('main:100')).toBe('main:100')
  expect(idLabel(long)).toHaveLength(400 + 1 + 64)
  expect(idLabel(long)).not.toBe(idLabel(`${long}x`))
  expect(idLabel(`${'x'.repeat(399)}🦆${'x'.repeat(300)}`).isWellFormed()).toBe(true)
  expect(idLabel('half \ud800')).toBe('half \ufffd')
})
