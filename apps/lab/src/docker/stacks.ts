/** The containers of container hosts: compose projects and single ones. */
export interface Service {
  name: string
  image: string
  /** of one core, on average */
  cpu: number
  memoryMB: number
  limitMB?: number
  /** port inside the container, and published port */
  port?: readonly [inside: number, published: number]
  health?: true
}

export interface Stack {
  project: string | undefined
  services: readonly Service[]
}

export const stacks: readonly Stack[] = [
  {
    project: 'media',
    services: [
      {
        name: 'jellyfin',
        image: 'jellyfin/jellyfin:10.10.3',
        cpu: 0.4,
        memoryMB: 900,
        port: [8096, 8096],
        health: true,
      },
      {
        name: 'sonarr',
        image: 'lscr.io/linuxserver/sonarr:4.0.11',
        cpu: 0.02,
        memoryMB: 210,
        port: [8989, 8989],
      },
      {
        name: 'radarr',
        image: 'lscr.io/linuxserver/radarr:5.16.3',
        cpu: 0.02,
        memoryMB: 230,
        port: [7878, 7878],
      },
      {
        name: 'downloads',
        image: 'lscr.io/linuxserver/qbittorrent:5.0.2',
        cpu: 0.15,
        memoryMB: 640,
        limitMB: 1024,
      },
    ],
  },
  {
    project: 'cloud',
    services: [
      {
        name: 'app',
        image: 'nextcloud:30-apache',
        cpu: 0.12,
        memoryMB: 420,
        limitMB: 1024,
        port: [80, 8081],
      },
      { name: 'cron', image: 'nextcloud:30-apache', cpu: 0.01, memoryMB: 45 },
      { name: 'db', image: 'mariadb:11.4', cpu: 0.05, memoryMB: 310, health: true },
      { name: 'redis', image: 'redis:7.4-alpine', cpu: 0.01, memoryMB: 12, health: true },
    ],
  },
  {
    project: undefined,
    services: [
      { name: 'traefik', image: 'traefik:v3.2', cpu: 0.03, memoryMB: 85, port: [443, 443], health: true },
      {
        name: 'portainer',
        image: 'portainer/portainer-ce:2.21.4',
        cpu: 0.01,
        memoryMB: 60,
        port: [9443, 9443],
      },
      { name: 'vaultwarden', image: 'vaultwarden/server:1.32.5', cpu: 0.01, memoryMB: 70, health: true },
      {
        name: 'pihole',
        image: 'pihole/pihole:2024.07.0',
        cpu: 0.02,
        memoryMB: 95,
        port: [53, 53],
        health: true,
      },
      { name: 'watchtower', image: 'containrrr/watchtower:1.7.1', cpu: 0, memoryMB: 18 },
    ],
  },
  {
    project: 'monitoring',
    services: [
      {
        name: 'prometheus',
        image: 'prom/prometheus:v2.55.1',
        cpu: 0.18,
        memoryMB: 780,
        limitMB: 2048,
        port: [9090, 9090],
      },
      { name: 'grafana', image: 'grafana/grafana:11.3.1', cpu: 0.04, memoryMB: 180, port: [3000, 3000] },
      { name: 'loki', image: 'grafana/loki:3.3.0', cpu: 0.08, memoryMB: 340 },
      { name: 'node-exporter', image: 'quay.io/prometheus/node-exporter:v1.8.2', cpu: 0.01, memoryMB: 22 },
    ],
  },
  {
    project: 'home',
    services: [
      {
        name: 'homeassistant',
        image: 'ghcr.io/home-assistant/home-assistant:2024.11',
        cpu: 0.09,
        memoryMB: 620,
      },
      { name: 'mosquitto', image: 'eclipse-mosquitto:2.0.20', cpu: 0.01, memoryMB: 8, port: [1883, 1883] },
      { name: 'zigbee2mqtt', image: 'koenkk/zigbee2mqtt:1.41.0', cpu: 0.02, memoryMB: 120 },
      {
        name: 'nodered',
        image: 'nodered/node-red:4.0.5',
        cpu: 0.03,
        memoryMB: 140,
        port: [1880, 1880],
        health: true,
      },
    ],
  },
  {
    project: 'git',
    services: [
      {
        name: 'forgejo',
        image: 'codeberg.org/forgejo/forgejo:9',
        cpu: 0.05,
        memoryMB: 260,
        port: [3000, 3300],
      },
      {
        name: 'runner',
        image: 'code.forgejo.org/forgejo/runner:5.0.3',
        cpu: 0.6,
        memoryMB: 512,
        limitMB: 2048,
      },
      { name: 'db', image: 'postgres:17-alpine', cpu: 0.03, memoryMB: 150, health: true },
    ],
  },
]
