import type { DockerReportReply } from '@pulse/contract'
import { aContainer, aReport } from '../../docker/fixtures.ts'
import { addToken } from '../../testing/people.ts'
import type { Estate } from './fixtures.ts'

/** A report of the permanent host, with an unhealthy container. */
export const reportOf = (id = 'docker1') =>
  aReport({
    id,
    host: { hostname: id, name: id, machineId: id },
    containers: [aContainer({ id: 'c'.repeat(64), name: 'proxy', health: 'unhealthy' })],
  })

export async function askForContainerHosts(estate: Estate) {
  const { call, server, session } = estate
  const asAgent = async () =>
    (await addToken(server.as(session), { name: 'Agent', scopes: ['docker:report'] })).headers
  const [agent, other] = [await asAgent(), await asAgent()]
  await call('postDockerReport', { as: other, body: reportOf('docker2') })
  await call('postDockerReport', { as: agent, body: reportOf() })
  await call('putDockerHostPendingUninstall', { params: { id: 'docker2' } })
  await call('deleteDockerHost', { params: { id: 'docker2' }, query: {} })
  const { commands } = (await call('postDockerReport', { as: other, body: reportOf('docker2') }))
    .body as DockerReportReply
  await call('postDockerCommandAck', {
    as: other,
    params: { id: commands![0]!.id },
    body: { hostId: 'docker2', status: 'completed' },
  })
  await call('getDockerSetup')
  await call('postDockerAllowReenroll', { params: { id: 'docker2' } })
  await call('deleteDockerHost', { params: { id: 'docker1' }, query: { hide: 'true' } })
  await call('putDockerHostUnhide', { params: { id: 'docker1' } })
  await call('postPrepareDockerToken', { body: { hostId: 'docker1' } })
  await call('getAgentVersion')
  await call('getServerInfo')
  await call('getAgentFile')
  await call('getAgentInstallScript')
}
