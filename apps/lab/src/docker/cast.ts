import type { Fate } from './host.ts'
import type { Service } from './stacks.ts'

/** One of the first containers of the first host, with a name that tests can rely on. */
export interface Part extends Service {
  project?: string
  fate: Fate
}

/** One container for every odd state. */
export const cast: readonly Part[] = [
  {
    project: 'shop',
    name: 'web',
    image: 'nginx:1.27',
    fate: 'runs',
    cpu: 0.06,
    memoryMB: 50,
    limitMB: 1024,
    port: [80, 8080],
    health: true,
  },
  { project: 'shop', name: 'db', image: 'postgres:17', fate: 'runs', cpu: 0.2, memoryMB: 420, health: true },
  {
    project: 'shop',
    name: 'worker',
    image: 'shop/worker:3.8.1',
    fate: 'runs',
    cpu: 1.8,
    memoryMB: 58,
    limitMB: 64,
  },
  { name: 'importer', image: 'shop/importer:1.4', fate: 'flapping', cpu: 0.3, memoryMB: 90 },
  {
    name: 'search',
    image: 'opensearchproject/opensearch:2.18.0',
    fate: 'unhealthy',
    cpu: 0.7,
    memoryMB: 1900,
    health: true,
  },
  { name: 'backup', image: 'restic/restic:0.17.3', fate: 'exited', cpu: 0, memoryMB: 0 },
  { name: 'migrate', image: 'shop/migrate:3.8.1', fate: 'failed', cpu: 0, memoryMB: 0 },
  { name: 'thumbnails', image: 'shop/thumbnails:2.0', fate: 'oom-killed', cpu: 0, memoryMB: 0, limitMB: 16 },
  { name: 'builder', image: 'moby/buildkit:v0.17.2', fate: 'paused', cpu: 0, memoryMB: 340 },
  { name: 'staging-web', image: 'nginx:1.27', fate: 'created', cpu: 0, memoryMB: 0 },
  {
    name: 'gitea',
    image: 'gitea/gitea:1.22',
    fate: 'starting',
    cpu: 0.4,
    memoryMB: 160,
    port: [3000, 3001],
    health: true,
  },
  { name: 'queue', image: 'rabbitmq:4.0', fate: 'restarting', cpu: 0.2, memoryMB: 80 },
]
