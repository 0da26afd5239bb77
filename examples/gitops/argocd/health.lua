-- Health of a TFJob for argocd-cm, key resource.customizations.health.kubeflow.org_TFJob. Argo CD has no health check for TFJobs.
local health = {status = "Progressing", message = "the operator has not started the job"}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.status == "True" then
      if condition.type == "Failed" then
        return {status = "Degraded", message = condition.message}
      elseif condition.type == "Succeeded" then
        return {status = "Healthy", message = condition.message}
      end
      health.status = condition.type == "Suspended" and "Suspended" or "Progressing"
      health.message = condition.message
    end
  end
end
return health
