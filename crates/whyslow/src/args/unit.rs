//! The container or service that an answer is about.

use clap::Args;

use whyslow_model::WantedUnit;

/// A container or a service.
#[derive(Debug, Args)]
pub(crate) struct UnitArgs {
    /// Explain the processes of this container (Docker, Podman, containerd, LXC), by id or the beginning of one
    #[arg(long, value_name = "ID", conflicts_with = "process")]
    container: Option<String>,
    /// Explain the processes of this service of systemd, with or without .service
    #[arg(long, value_name = "NAME", conflicts_with_all = ["process", "container"])]
    service: Option<String>,
}

impl UnitArgs {
    /// Returns the container or service to explain.
    pub(crate) fn wanted(&self) -> Option<WantedUnit<'_>> {
        let container = self.container.as_deref().map(WantedUnit::Container);
        container.or(self.service.as_deref().map(WantedUnit::Service))
    }
}
