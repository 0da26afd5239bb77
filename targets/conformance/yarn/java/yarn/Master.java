package yarn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.protocolrecords.ResourceTypes;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.service.ServiceContext;
import org.apache.hadoop.yarn.service.ServiceScheduler;
import org.apache.hadoop.yarn.service.api.records.ConfigFile;
import org.apache.hadoop.yarn.service.api.records.Service;
import org.apache.hadoop.yarn.service.component.Component;
import org.apache.hadoop.yarn.service.component.instance.ComponentInstance;
import org.apache.hadoop.yarn.service.containerlaunch.AbstractLauncher;
import org.apache.hadoop.yarn.service.provider.ProviderFactory;
import org.apache.hadoop.yarn.service.provider.ProviderService;
import org.apache.hadoop.yarn.service.utils.SliderFileSystem;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * The service master, initialized but never started: the launch of each instance that it would request from a node
 * manager.
 */
final class Master implements AutoCloseable {
    /** Simulated host of the containers. */
    static final NodeId NODE = NodeId.newInstance("node.example", 8041);
    /** Maximum number of instances per component. */
    private static final long MOST = 256;
    private static final ApplicationId APPLICATION = ApplicationId.newInstance(1_700_000_000_000L, 1);

    /** An instance, and the launch context that the master sends for it. */
    record Launch(String component, long index, ContainerId id, ContainerLaunchContext context,
            List<ConfigFile> files) {}

    private final ServiceContext context = new ServiceContext();
    private final ServiceScheduler scheduler;

    /** Creates the components of an accepted service. Its directory on `fs` must be empty. */
    Master(Service service, SliderFileSystem fs, Configuration conf) {
        knowResources(service);
        service.setId(APPLICATION.toString());
        for (var component : service.getComponents()) {
            component.setNumberOfContainers(Math.min(MOST, component.getNumberOfContainers()));
        }
        Path folder = fs.buildClusterDirPath(service.getName());
        fs.setAppDir(folder);
        context.service = service;
        context.fs = fs;
        context.serviceHdfsDir = folder.toString();
        context.attemptId = ApplicationAttemptId.newInstance(APPLICATION, 1);
        scheduler = new ServiceScheduler(context);
        context.scheduler = scheduler;
        scheduler.init(conf);
    }

    /** Registers every resource type that the service requests. */
    private static void knowResources(Service service) {
        Map<String, ResourceTypeInfo> types = new HashMap<>();
        for (var component : service.getComponents()) {
            var more = component.getResource() == null ? null : component.getResource().getAdditional();
            for (String name : more == null ? Collections.<String>emptySet() : more.keySet()) {
                types.put(name, ResourceTypeInfo.newInstance(name, "", ResourceTypes.COUNTABLE));
            }
        }
        types.put(ResourceInformation.MEMORY_URI, ResourceTypeInfo.newInstance(ResourceInformation.MEMORY_URI, "Mi"));
        types.put(ResourceInformation.VCORES_URI, ResourceTypeInfo.newInstance(ResourceInformation.VCORES_URI));
        ResourceUtils.reinitializeResources(new ArrayList<>(types.values()));
    }

    /** Returns the components in the order of the engine. */
    List<Component> components() {
        return new ArrayList<>(scheduler.getAllComponents().values());
    }

    /** Requests one container as the running master would. Throws errors that would end the master. */
    void request(Component component) {
        component.requestContainers(1);
    }

    /** Returns the launch of each instance. Throws errors that prevent a launch and that the master only logs. */
    List<Launch> launches(Component component) throws Exception {
        List<Launch> all = new ArrayList<>();
        List<ComponentInstance> instances = new ArrayList<>(component.getAllComponentInstances());
        Collections.sort(instances);
        for (ComponentInstance instance : instances) {
            long number = 2 + all.size() + 1000L * component.getAllocateId();
            ContainerId id = ContainerId.newContainerId(context.attemptId, number);
            Container container = Container.newInstance(id, NODE, NODE.getHost() + ":8042", null,
                Priority.newInstance(0), null);
            instance.setContainer(container);
            AbstractLauncher launcher = new AbstractLauncher(context);
            ProviderService provider = ProviderFactory.getProviderService(component.getComponentSpec().getArtifact());
            provider.buildContainerLaunchContext(launcher, context.service, instance, context.fs,
                scheduler.getConfig(), container,
                component.createLaunchContext(component.getComponentSpec(), context.service.getVersion()));
            all.add(new Launch(component.getName(), instance.getCompInstanceId().getId(), id,
                launcher.completeContainerLaunch(), component.getComponentSpec().getConfiguration().getFiles()));
        }
        return all;
    }

    @Override
    public void close() {
        scheduler.stop();
    }
}
