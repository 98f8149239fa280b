{{- define "faasimage.name" -}}
{{- printf "%s-%s" .Release.Name "faasimage" | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "faasimage.labels" -}}
app.kubernetes.io/name: faasimage
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "faasimage.selector" -}}
app.kubernetes.io/name: faasimage
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "faasimage.secret" -}}
{{- .Values.registry.existingSecret | default (include "faasimage.name" .) }}
{{- end }}

{{/* The name in the certificate: nodes check it, whatever address they use. */}}
{{- define "faasimage.serverName" -}}
{{- printf "%s.%s.svc" (include "faasimage.name" .) .Release.Namespace }}
{{- end }}

{{- define "faasimage.tlsSecret" -}}
{{- .Values.registry.tls.existingSecret | default (printf "%s-tls" (include "faasimage.name" .)) }}
{{- end }}

{{- define "faasimage.scheme" -}}
{{- ternary "https" "http" .Values.registry.tls.enabled }}
{{- end }}

{{- define "faasimage.registryImage" -}}
{{- printf "%s:%s" .Values.registry.image.repository (.Values.registry.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- define "faasimage.nodeImage" -}}
{{- printf "%s:%s" .Values.node.image.repository (.Values.node.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{/* The token in base64: the Secret's; of a first installation, one made now; empty when the Secret cannot be seen. */}}
{{- define "faasimage.token" -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (include "faasimage.secret" .) }}
{{- if $secret }}
{{- index $secret.data "token" }}
{{- else if not .Values.registry.existingSecret }}
{{- if not (hasKey .Values "madeToken") }}
{{- $_ := set .Values "madeToken" (randAlphaNum 43 | b64enc) }}
{{- end }}
{{- .Values.madeToken }}
{{- end }}
{{- end }}

{{/* Changes with the token, so that pods are replaced; too short to try guesses on. */}}
{{- define "faasimage.tokenMark" -}}
{{- include "faasimage.token" . | sha256sum | trunc 4 | quote }}
{{- end }}
