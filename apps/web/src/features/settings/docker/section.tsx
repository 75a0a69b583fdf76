import { useLive } from '../../../live/use-live.ts'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { HostPanel } from './host-panel.tsx'
import { sameHosts, selectHosts } from './hosts.ts'
import { InstallPanel } from './install-panel.tsx'
import { RemovedPanel } from './removed-panel.tsx'

export default function DockerSection() {
  return (
    <AdminOnly to="to manage Docker hosts">
      <DockerHosts />
    </AdminOnly>
  )
}

function DockerHosts() {
  const hosts = useLive(['dockerHosts'], selectHosts, sameHosts)
  return (
    <div className="flex flex-col gap-4">
      <HostPanel hosts={hosts} />
      <InstallPanel hosts={hosts} />
      <RemovedPanel />
    </div>
  )
}
