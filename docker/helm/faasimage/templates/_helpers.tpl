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

{{- define "faasimage.registryImage" -}}
{{- printf "%s:%s" .Values.registry.image.repository (.Values.registry.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- define "faasimage.nodeImage" -}}
{{- printf "%s:%s" .Values.node.image.repository (.Values.node.image.tag | default .Chart.AppVersion) }}
{{- end }}
