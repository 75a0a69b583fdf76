{{- define "pulse.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
terminationGracePeriodSeconds: 15
{{- end -}}

{{- define "pulse.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- define "pulse.privateSecrets" -}}
# Kubernetes lets the group read the files of a secret, and Pulse refuses such a key.
- name: secrets
  {{- include "pulse.image" . | nindent 2 }}
  command: [sh, -c, 'umask 077 && cp /secret/* /run/pulse/']
  volumeMounts:
    - name: secret
      mountPath: /secret
      readOnly: true
    - name: private
      mountPath: /run/pulse
{{- end -}}

{{- define "pulse.ownVariables" -}}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "pulse.variables" -}}
{{- with .Values.publicUrl }}
- name: PULSE_PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.trustedProxies }}
- name: PULSE_TRUSTED_PROXIES
  value: {{ . | quote }}
{{- end }}
{{- if .Values.samples.url }}
- name: PULSE_SAMPLES_URL
  value: {{ .Values.samples.url | quote }}
{{- with .Values.samples.user }}
- name: PULSE_SAMPLES_USER
  value: {{ . | quote }}
{{- end }}
{{- with .Values.samples.passwordKey }}
- name: PULSE_SAMPLES_PASSWORD_FILE
  value: /run/samples/{{ . }}
{{- end }}
{{- with .Values.samples.tokenKey }}
- name: PULSE_SAMPLES_TOKEN_FILE
  value: /run/samples/{{ . }}
{{- end }}
{{- with .Values.samples.caKey }}
- name: PULSE_SAMPLES_CA_FILE
  value: /run/samples/{{ . }}
{{- end }}
{{- end }}
{{- include "pulse.ownVariables" . }}
{{- end -}}

{{- define "pulse.samplesMount" -}}
{{- if .Values.samples.secret }}
- name: samples
  mountPath: /run/samples
  readOnly: true
{{- end }}
{{- end -}}

{{- define "pulse.samplesVolume" -}}
{{- with .Values.samples.secret }}
- name: samples
  secret:
    secretName: {{ . }}
{{- end }}
{{- end -}}

{{- define "pulse.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
